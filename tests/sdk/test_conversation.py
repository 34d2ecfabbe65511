"""What a bot is given, and what is said for it: conversations without a stream."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.codec import codec
from arena.games.kernel import DummyPlayed, Played, TalkLimits
from arena.games.lost_cities import LOST_CITIES, LostCitiesView
from arena.sdk import SILENCE, Bot, Claim, Decision, Line, Match, Outcome
from arena.sdk.conversation import BotCrash, Conversation, Player
from arena.v1 import bot_pb2 as pb
from arena.v1 import match_pb2
from tests.sdk.scripted_arena import ask, start

MINE = match_pb2.Step(played=match_pb2.Played(seat=0, action="play R2"))
THEIRS = match_pb2.Step(played=match_pb2.Played(seat=1, action="draw deck", together=3))


class Note(Bot[Any]):
    """Chooses the first action and keeps what it was given."""

    matches_at_once = 8

    def __init__(self) -> None:
        self.decisions: list[Decision[Any]] = []
        self.draws: list[float] = []
        self.log: list[Match | Outcome] = []

    def choose(self, decision: Decision[Any]) -> str:
        self.decisions.append(decision)
        self.draws.append(decision.random.random())
        return decision.legal[0]

    def say(self, decision: Decision[Any]) -> Line:
        self.decisions.append(decision)
        return Line("hello", (Claim("promise", 1, "mend", "this"),))

    def on_start(self, match: Match) -> None:
        self.log.append(match)

    def on_end(self, match: Match, outcome: Outcome) -> None:
        self.log.append(outcome)


def tell(conversation: Conversation, *messages: pb.ArenaMessage) -> list[pb.BotMessage]:
    frame = pb.ConnectResponse(messages=messages)
    return [message for reply in conversation.replies([frame]) for message in reply.messages]


def talk() -> match_pb2.TalkLimits:
    return match_pb2.TalkLimits(
        max_text_bytes=200, max_claims=3, kinds=["promise"], votes=["mend"], whens=["this"]
    )


def test_decision_names_its_match() -> None:
    bot = Note()
    tell(Conversation(Player(bot)), start(1, seat=1, seats=2, options={"hands": 2}), ask())
    (decision,) = bot.decisions
    assert (decision.match, decision.game, decision.variant) == ("match1", "lost_cities", "standard")
    assert (decision.seat, decision.seats, dict(decision.options)) == (1, 2, {"hands": 2})
    assert (decision.clock.bank_ms, decision.clock.limit_ms) == (30_000, 10_000)


def test_view_is_the_games_own() -> None:
    bot = Note()
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2), bytes(32))
    view = LOST_CITIES.view(state, 0)
    tell(Conversation(Player(bot)), start(), ask(view=codec("lost_cities").encode(view)))
    assert bot.decisions[0].view == view
    assert isinstance(bot.decisions[0].view, LostCitiesView)


def test_history_grows_by_what_is_seen() -> None:
    bot = Note()
    tell(Conversation(Player(bot)), start(), ask(seen=[MINE]), ask(decision=2, seen=[THEIRS]))
    assert bot.decisions[1].history == (Played(0, "play R2"), Played(1, "draw deck", 3))


def test_history_of_an_earlier_decision_stays_as_it_was() -> None:
    bot = Note()
    tell(Conversation(Player(bot)), start(), ask(seen=[MINE]), ask(decision=2, seen=[THEIRS]))
    assert bot.decisions[0].history == (Played(0, "play R2"),)


def test_histories_of_two_matches_do_not_mix() -> None:
    bot = Note()
    tell(Conversation(Player(bot)), start(1), start(2), ask(1, seen=[MINE]), ask(2, seen=[THEIRS]))
    assert bot.decisions[1].history == (Played(1, "draw deck", 3),)


def test_random_numbers_follow_from_the_bot_seed_alone() -> None:
    first, second = Note(), Note()
    tell(Conversation(Player(first)), start(1), start(2), ask(1), ask(2))
    tell(Conversation(Player(second)), start(2), start(1, bot_seed=b"x" * 32), ask(2), ask(1))
    assert first.draws[0] == first.draws[1] == second.draws[0] != second.draws[1]


def test_line_of_talk_is_said() -> None:
    bot = Note()
    (message,) = tell(Conversation(Player(bot)), start(), ask(actions=[], talk=talk()))
    claim = match_pb2.Claim(kind="promise", seat=1, vote="mend", when="this")
    assert message.say == pb.Say(table=1, decision=1, line=match_pb2.Line(text="hello", claims=[claim]))


def test_limits_of_talk_are_given() -> None:
    bot = Note()
    tell(Conversation(Player(bot)), start(), ask(actions=[], talk=talk()))
    assert bot.decisions[0].limits == TalkLimits(200, 3, ("promise",), ("mend",), ("this",))


def test_bot_that_says_nothing_keeps_silent() -> None:
    class Quiet(Note):
        def say(self, decision: Decision[Any]) -> Line:
            return SILENCE

    (message,) = tell(Conversation(Player(Quiet())), start(), ask(actions=[], talk=talk()))
    assert message.HasField("say")
    assert message.say.line == match_pb2.Line()


def test_start_and_end_are_told() -> None:
    bot = Note()
    outcome = match_pb2.Outcome(scores=[3, 5], places=[2, 1], end="completed")
    tell(Conversation(Player(bot)), start(), pb.ArenaMessage(end=pb.End(table=1, outcome=outcome)))
    assert isinstance(bot.log[0], Match)
    assert bot.log[1] == Outcome((2, 1), (3, 5), "completed")


def test_match_goes_on_over_a_new_stream() -> None:
    bot = Note()
    player = Player(bot)
    conversation = Conversation(player)
    tell(conversation, start(1), ask(1, seen=[MINE]))
    conversation.close()
    tell(
        Conversation(player),
        start(7, match="match1", history=[MINE, match_pb2.Step(dummy="play 3")]),
        ask(7, decision=2, seen=[THEIRS]),
    )
    assert bot.draws[0] != bot.draws[1], "its random numbers go on"
    assert len(bot.log) == 1, "it did not begin again"
    assert bot.decisions[1].history == (
        Played(0, "play R2"),
        DummyPlayed("play 3"),
        Played(1, "draw deck", 3),
    )


def test_decision_that_is_asked_again_is_answered_alike() -> None:
    class Fickle(Note):
        def choose(self, decision: Decision[Any]) -> str:
            self.decisions.append(decision)
            return decision.legal[len(self.decisions)]

    player = Player(Fickle())
    conversation = Conversation(player)
    (first,) = tell(conversation, start(1), ask(1, seen=[MINE]))
    conversation.close()
    (second,) = tell(Conversation(player), start(7, match="match1", history=[MINE]), ask(7))
    assert first.answer.action == second.answer.action == 1


def test_match_that_is_played_again_from_its_start_is_a_new_one() -> None:
    bot = Note()
    player = Player(bot)
    conversation = Conversation(player)
    tell(conversation, start(1), ask(1, seen=[MINE]))
    conversation.close()
    tell(Conversation(player), start(7, match="match1"), ask(7, seen=[MINE]))
    assert bot.draws[0] == bot.draws[1]
    assert len(bot.log) == 2


def test_line_of_the_wrong_type_is_named() -> None:
    class Wrong(Note):
        def say(self, decision: Decision[Any]) -> Line:
            return "hello"  # type: ignore[return-value]

    with pytest.raises(BotCrash, match=r"illegal line 'hello'.*must be a Line"):
        tell(Conversation(Player(Wrong())), start(), ask(actions=[], talk=talk()))


def test_fault_is_told_to_the_author(capsys: pytest.CaptureFixture[str]) -> None:
    fault = pb.Fault(table=1, kind=match_pb2.FAULT_KIND_TIMEOUT, message="the clock ran out")
    tell(Conversation(Player(Note())), start(), pb.ArenaMessage(fault=fault))
    assert capsys.readouterr().err == "fault in match match1: timeout: the clock ran out\n"

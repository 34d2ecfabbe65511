"""Logs: what one's own bots printed, and nobody else's."""

from __future__ import annotations

import pytest

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bundle_format.bundle import read_upload
from arena.competition.matches import blocks
from arena.competition.matches.results import Output
from arena.competition.qualification import submissions
from arena.core.errors import Refusal
from arena.match.clock import STANDARD
from arena.match.record import to_json
from arena.reports import bot_logs
from arena.storage import Store
from arena.storage.record_compression import pack
from tests import decided_matches
from tests.bundle_format.uploads import project
from tests.decided_matches import store_result
from tests.match.clocked_match import play as play_clocked

STEPS = [
    {"chance": "deal", "outcome": []},
    {"seat": 0, "action": "play R3", "ms": 1.5},
    {"seat": 1, "action": "play R4", "ms": 2.5},
    {"seat": 0, "action": "draw deck", "ms": 0},
    {"seat": 0, "action": "play R5", "ms": 4.0},
]


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    return decided_matches.person(store, "ada")


def play(store: Store, actor: Actor, matches: int = 2, **changes: object) -> list[str]:
    """Submit a bot and play so many matches of its qualification; their ids."""
    upload = read_upload(project(), "mine.zip")
    (row,) = submissions.submit(store, actor, upload, allowed=(), most=9)
    (key,) = [key for key in blocks.reconcile(store) if key.tournament_id == row.trial]
    block = decided_matches.claim(store, key=key)
    for match in block.matches[:matches]:
        text = decided_matches.record(block, match, (1, 2), steps=STEPS, **changes)
        printed = {seat: Output(f"{each.bot} ☠\n".encode(), 7) for seat, each in enumerate(match.seats)}
        assert store_result(store, block.tournament_id, match.set, match.match, match.attempt, text, printed)
    return [match.id for match in block.matches]


def test_an_author_reads_what_his_bot_printed_and_how_long_it_took(store: Store, ada: Actor) -> None:
    ids = play(store, ada)
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "mine", ids[0])
    assert (log.stderr, log.dropped) == ("mine ☠\n", 7)
    mine = list(log.timings)
    assert [(timing.step, timing.action, timing.ms) for timing in mine] == (
        [(1, "play R3", 1.5), (4, "play R5", 4.0)] if log.row.seat == 0 else [(2, "play R4", 2.5)]
    )
    assert log.row.total_ms == sum(timing.ms for timing in mine)


def test_his_last_matches_are_listed(store: Store, ada: Actor) -> None:
    ids = play(store, ada)
    rows = bot_logs.recent(store, ada, "lost_cities", "mine")
    assert [row.id for row in rows] == ids[::-1]
    assert {row.printed for row in rows} == {len("mine ☠\n".encode()) + 7}
    assert {row.version for row in rows} == {"1"}
    assert len(bot_logs.recent(store, ada, "lost_cities", "mine@1", limit=1)) == 1
    assert bot_logs.recent(store, ada, "lost_cities", "mine@2") == ()


def test_a_log_is_shown_when_its_match_is_over(store: Store, ada: Actor) -> None:
    first, second = play(store, ada, 1)
    assert [row.id for row in bot_logs.recent(store, ada, "lost_cities", "mine")] == [first]
    with pytest.raises(Refusal, match="none of that id"):
        bot_logs.of_match(store, ada, "lost_cities", "mine", second)


def test_where_a_set_shares_its_deal_no_log_is_shown_before_the_set_is_over(store: Store, ada: Actor) -> None:
    play(store, ada)  # now the bot may be entered
    shown = len(bot_logs.recent(store, ada, "lost_cities", "mine"))
    decided_matches.new_tournament(store, names=("mine", "greedy"), trusted=True)
    block = decided_matches.claim(store)
    decided_matches.add(store, block, block.matches[0], [1, 2])
    assert len(bot_logs.recent(store, ada, "lost_cities", "mine")) == shown
    decided_matches.add(store, block, block.matches[1], [1, 2])
    assert len(bot_logs.recent(store, ada, "lost_cities", "mine")) == shown + 2


def test_nobody_reads_what_the_bot_of_another_printed(store: Store, ada: Actor) -> None:
    ids = play(store, ada)
    bob = decided_matches.person(store, "bob")
    for name in ("mine", "random"):
        with pytest.raises(Refusal) as caught:
            bot_logs.of_match(store, bob, "lost_cities", name, ids[0])
        assert caught.value.code == "not_yours"
        with pytest.raises(Refusal, match="not yours"):
            bot_logs.recent(store, bob, "lost_cities", name)


def test_a_match_of_others_is_in_nobodys_log(store: Store, ada: Actor) -> None:
    play(store, ada)
    page = decided_matches.new_tournament(store, names=("greedy", "random"))
    decided_matches.play(store, page.id)
    with store.read():
        others = {match.id for _, match in decided_matches.matches(store)}
    assert not others & {row.id for row in bot_logs.recent(store, ada, "lost_cities", "mine")}


def test_a_fault_of_ones_own_is_told_in_words(store: Store, ada: Actor) -> None:
    play(store, ada, result=decided_matches.fault(2, 0, "crash"))
    rows = bot_logs.recent(store, ada, "lost_cities", "mine")
    assert [row.fault for row in rows if row.seat == 0] == ["too late"]
    assert [row.fault for row in rows if row.seat == 1] == [None]


def test_a_decision_of_some_hundredths_is_in_the_log_and_a_forced_one_is_not() -> None:
    match = play_clocked("lost_cities", STANDARD, thinking_ms=(0.04,))
    for seat in range(2):
        asked = [each for each in match.asked if each.ask.seat == seat]
        timings, fault = bot_logs.read_timings(pack(to_json(match.record)), seat)
        assert ([timing.ms for timing in timings], fault) == ([0.0] * len(asked), None)
        played = [each for each in match.record.steps if getattr(each.step, "seat", None) == seat]
        assert 0 < len(timings) < len(played)

"""The house bots for Lifeboats, in all of its forms, and what they say."""

from __future__ import annotations

import random
from hashlib import sha256
from itertools import product
from typing import Any

import pytest

from arena.games.kernel import SILENCE, Claim, Line, Played, Said, Step
from arena.games.lifeboats import LIFEBOATS
from arena.games.lifeboats.house_bots._playout import evaluate, playout
from arena.games.lifeboats.house_bots._talk import asked_of, promised, trusted
from arena.games.lifeboats.state import Stage
from arena.games.lifeboats.view import LifeboatsView
from arena.sdk import Bot, Decision, Match, Outcome, practise
from bots.catalogue import house_bot, house_bots
from tests.games.playing import TABLES, Configuration, play

FORMS = [
    (variant, seats, dealt)
    for (variant, counts), dealt in product(LIFEBOATS.variants.items(), (0, 1))
    for seats in counts
]
SEEDS = tuple(sha256(bytes((number,))).digest() for number in range(4))
WORD = Line("I vote K.", (Claim("promise", 0, "K", "this"), Claim("ask", 1, "K", "this")))


class Stenographer(Bot[LifeboatsView]):
    """Plays the first action, says nothing, and keeps the history of the last decision it had."""

    talks = True

    def __init__(self) -> None:
        self.history: tuple[Step, ...] = ()

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        self.history = decision.history
        return decision.legal[0]

    def on_end(self, match: Match, outcome: Outcome) -> None:
        assert outcome.end == "completed"


def minutes(
    *names: str, seed: bytes, variant: str = "standard", seats: int = 4, **options: int
) -> tuple[Step, ...]:
    """Let house bots play with bots that are silent; give all but the last steps of the match."""
    writer = Stenographer()
    bots: list[Bot[Any]] = [
        *[house_bot("lifeboats", name) for name in names],
        *[writer] * (seats - len(names)),
    ]
    practise("lifeboats", bots, seed=seed, variant=variant, options={"dealt": 1, **options})
    return writer.history


def words(history: tuple[Step, ...], seat: int) -> tuple[int, int]:
    """Count the votes in which a seat had promised something: kept, and broken."""
    kept = broken = 0
    promise = ""
    for step in history:
        if isinstance(step, Said) and step.seat == seat:
            promise = next(claim.vote for claim in step.line.claims if claim.kind == "promise")
        elif isinstance(step, Played) and step.together is not None and step.seat == seat and promise:
            kept, broken = (
                kept + (step.action == f"vote {promise}"),
                broken + (step.action != f"vote {promise}"),
            )
            promise = ""
    return kept, broken


@pytest.mark.parametrize(("variant", "seats", "dealt"), FORMS)
def test_greedy_beats_random(variant: str, seats: int, dealt: int) -> None:
    names = ["greedy", *["random"] * (seats - 1)]
    bots = [house_bot("lifeboats", name) for name in names]
    margin = 0.0
    for seed in SEEDS:
        scores = practise("lifeboats", bots, seed=seed, variant=variant, options={"dealt": dealt}).scores
        margin += scores[0] - sum(scores[1:]) / (seats - 1)
    assert margin / len(SEEDS) > 2


@pytest.mark.parametrize(("variant", "dealt"), [*product(LIFEBOATS.variants, (0, 1))])
def test_largest_table_is_played_by_six_styles(variant: str, dealt: int) -> None:
    names = [name for name in house_bots("lifeboats") if name != "search"]
    assert len(names) >= 6
    for first in range(len(names)):
        table = [names[(first + seat) % len(names)] for seat in range(6)]
        bots = [house_bot("lifeboats", name) for name in table]
        result = practise("lifeboats", bots, seed=SEEDS[0], variant=variant, options={"dealt": dealt})
        assert result.end == "completed"


@pytest.mark.parametrize(("name", "variant"), [*product(("keeper", "diplomat"), LIFEBOATS.variants)])
@pytest.mark.parametrize("talk", [1, 2, 5])
def test_keeper_and_diplomat_keep_every_promise(name: str, variant: str, talk: int) -> None:
    for seed in SEEDS:
        history = minutes(name, "liar", seed=seed, variant=variant, talk=talk)
        kept, broken = words(history, 0)
        assert kept > 2
        assert broken == 0


def test_keeper_chooses_what_it_promised_where_votes_tie() -> None:
    chosen = 0
    for number in range(20):
        seed = sha256(bytes((number,))).digest()
        history = minutes("keeper", "greedy", "tactician", seed=seed)
        vote = ""
        for step in history:
            if isinstance(step, Played) and step.seat == 0:
                if step.action.startswith("choose") and vote.startswith("vote"):
                    chosen += step.action == f"choose {vote[-1]}"
                vote = step.action if step.together is not None else vote
    assert chosen > 2


def test_liar_promises_and_breaks_its_word() -> None:
    counts = [words(minutes("liar", "greedy", seed=seed), 0) for seed in SEEDS]
    assert sum(broken for _, broken in counts) > sum(kept for kept, _ in counts)


def test_bots_that_do_not_talk_are_silent() -> None:
    for name in ("random", "greedy", "tactician", "captain", "joiner"):
        assert not house_bot("lifeboats", name).talks
        assert not any(isinstance(step, Said) for step in minutes(name, seed=SEEDS[0]))


def test_promises_hold_for_the_vote_at_hand_only() -> None:
    vote = (Played(0, "vote K", 0), Played(1, "vote W", 0))
    assert promised((Said(0, WORD, 0),)) == {0: "K"}
    assert promised((Said(0, WORD, 0), *vote)) == {}
    assert promised((Said(0, WORD, 0), *vote), voted=True) == {0: "K"}
    assert asked_of((Said(0, WORD, 0),), 1) == {0: "K"}
    assert asked_of((Said(0, WORD, 0), *vote), 1) == {}


def test_trusted_is_who_kept_its_promises() -> None:
    first = (Said(0, WORD, 0), Said(1, Line("", (Claim("promise", 1, "K", "this"),)), 0))
    votes = (Played(0, "talk on"), Played(0, "vote K", 0), Played(1, "vote W", 0))
    assert trusted(first) == set()
    assert trusted((*first, *votes)) == {0}
    assert trusted((*first, *votes, Said(0, WORD, 0), Played(0, "hat", 1))) == set()


@pytest.mark.parametrize("table", [table for table in TABLES if table.game is LIFEBOATS], ids=str)
@pytest.mark.parametrize("dealt", [0, 1])
def test_playout_plays_legally_and_evaluation_shares_the_pairs(table: Configuration, dealt: int) -> None:
    chooser = random.Random(1)
    game, setup = table.game, table.setup(dealt=dealt)
    state, _ = game.new(setup, bytes(32))
    while decisions := game.to_act(state):
        shares = evaluate(state)
        assert sum(shares) == pytest.approx(table.seats / 2)
        assert all(0 <= share <= 1 for share in shares)
        if state.stage == Stage.TALK:
            state, _ = game.apply(state, [SILENCE] * len(decisions))
            continue
        answers = [playout(state, each.seat, game.legal(state, each.seat), chooser) for each in decisions]
        state, _ = game.apply(state, answers)
    ended = game.result(state)
    assert ended is not None
    places = ended.places
    assert sum(evaluate(state)) == pytest.approx(table.seats / 2)
    assert evaluate(state)[places.index(1)] == max(evaluate(state))


def test_evaluation_of_a_finished_match_is_the_share_of_pairs_won() -> None:
    last = play(Configuration(LIFEBOATS, "standard", 4), SEEDS[1], random.Random(3), dealt=1).last
    result = LIFEBOATS.result(last)
    assert result is not None
    for place, share in zip(result.places, evaluate(last), strict=True):
        ahead = sum(place < other for other in result.places)
        level = result.places.count(place) - 1
        assert share == pytest.approx((ahead + level / 2) / 3)

"""What is kept of a record gives it back byte for byte; what is no right record is kept whole."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.kernel import Json, Result
from arena.match.compact_record import RulesChanged, expand, is_whole, keep, shrink
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, Participant, Record, RecordedStep, from_json, to_json
from arena.match.verification import verify
from tests.games.playing import TABLES, Playout, Table, play, record
from tests.games.tiny import TINY, Tiny, TinyState
from tests.match.test_verification_mutations import FAULTY, GAMES, SEED, WHOLE, mutate

NAMES = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
TENTHS = st.integers(0, 200) | st.sampled_from((1279, 1280, 163_839, 163_840, 864_000_000, 10**13))
TABLE = next(table for table in TABLES if str(table) == "tiny-standard-3")
TINY_TEXT = to_json(record(play(TABLE, SEED, random.Random(9), rounds=1)))
"""A match with two lines of talk."""

AT_REST = (
    "018e430245000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f5b312c2274696e79222c22"
    "6d2d31222c227374616e64617264222c7b22726f756e6473223a312c2274616c6b223a317d2c5b5b22626f742030222c"
    "2231222c315d2c5b22626f742031222c2231222c315d2c5b22626f742032222c2231225d5d2c6e756c6c2c5b5b302c30"
    "2c302c22c2a1686f6c6121225d2c5b302c312c302c224920736179222c5b2270726f6d697365222c312c2242222c2274"
    "686973225d2c5b2270726f6d697365222c312c2242222c2274686973225d5d5d5d0a766f746520410a766f746520420a"
    "766f746520420a74616b650a0a0f00000f"
)
"""TINY_TEXT in form 1, as it stands in stores: it must be readable for good."""


def shorten(table: Table) -> dict[str, int]:
    return {option.name: option.low for option in table.game.options(table.variant, table.seats)[:1]}


def time(whole: Record, tenths: list[int]) -> Record:
    """Return the actions other times, the same few over and over."""
    steps = [
        step if step.ms is None else RecordedStep(step.step, tenths[at % len(tenths)] / 10)
        for at, step in enumerate(whole.steps)
    ]
    return replace(whole, steps=tuple(steps))


def cut(playout: Playout, whole: Record, points: int, fault: SeatFault) -> Record:
    """End a match by a fault after some of its points."""
    steps = len(playout.opening) + sum(len(point.steps) for point in playout.points[:points])
    seats = playout.table.seats
    places = tuple(seats if seat == fault.seat else 1 for seat in range(seats))
    return replace(whole, steps=whole.steps[:steps], result=Ending(places, "fault", fault=fault))


@pytest.mark.parametrize("table", TABLES, ids=str)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_record_comes_back_from_what_is_kept_of_it(table: Table, data: st.DataObject) -> None:
    seed, chooser = (
        data.draw(st.binary(min_size=32, max_size=32)),
        data.draw(st.randoms(use_true_random=False)),
    )
    playout = play(table, seed, random.Random(chooser.random()), **shorten(table))
    whole = time(record(playout, data.draw(NAMES)), data.draw(st.lists(TENTHS, min_size=1, max_size=30)))
    seats = [Participant(data.draw(NAMES), data.draw(NAMES), seat.talks) for seat in whole.seats]
    whole = replace(whole, seats=tuple(seats))
    fault = SeatFault(
        data.draw(st.integers(0, table.seats - 1)), data.draw(st.sampled_from(FaultKind)), data.draw(NAMES)
    )
    for each in (whole, cut(playout, whole, data.draw(st.integers(0, len(playout.points))), fault)):
        text = to_json(each)
        shrunk = shrink(text, table.game)
        assert not is_whole(shrunk)
        assert expand(shrunk, table.game) == text


@pytest.mark.parametrize("table", TABLES, ids=str)
@settings(max_examples=30, deadline=None)
@given(faulty=st.booleans(), chooser=st.randoms(use_true_random=False))
def test_whatever_a_record_is_it_is_not_lost(table: Table, faulty: bool, chooser: random.Random) -> None:  # noqa: FBT001
    document = json.loads((FAULTY if faulty else WHOLE)[str(table)])
    mutate(document, chooser)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    assert expand(shrink(text, table.game), table.game) == text


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_wrong_step_is_kept_and_still_reported(table: Table) -> None:
    whole = from_json(WHOLE[str(table)])
    step = whole.steps[0]
    wrong = to_json(replace(whole, steps=(step, step, *whole.steps[1:])))
    shrunk = shrink(wrong, table.game)
    assert is_whole(shrunk)
    assert expand(shrunk, table.game) == wrong
    found = verify(from_json(wrong), GAMES[table.game.id])
    assert found is not None
    assert found.step == 1


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(json.loads(TINY_TEXT)),
        json.dumps(json.loads(TINY_TEXT), sort_keys=True, separators=(",", ":")),
        TINY_TEXT.replace('"ms":1.5', '"ms":1.50'),
        TINY_TEXT.replace('"ms":1.5', '"ms":1.55'),
        TINY_TEXT.replace('"ms":1.5', '"ms":-1.5'),
        TINY_TEXT.replace('"ms":1.5', '"ms":1e999'),
        TINY_TEXT.replace('"ms":1.5', '"ms":NaN'),
        TINY_TEXT.replace("vote B", "vote\\n\\nB"),
        TINY_TEXT.replace('"game":"tiny"', '"game":"chess"'),
        TINY_TEXT.replace('"m-1"', '"\\ud800"'),
        TINY_TEXT + "\n",
        " {}",
        "[" * 100_000,
        "",
        "é",
    ],
)
def test_what_would_come_back_otherwise_is_kept_whole(text: str) -> None:
    shrunk = shrink(text, TINY)
    assert is_whole(shrunk)
    assert expand(shrunk, TINY) == text


def test_a_game_that_is_not_known_is_kept_whole() -> None:
    assert is_whole(shrink(TINY_TEXT))


def test_a_record_that_was_kept_needs_no_rules() -> None:
    assert expand(keep(TINY_TEXT)) == TINY_TEXT


def test_a_text_from_before_there_were_forms_is_read() -> None:
    assert is_whole(TINY_TEXT.encode())
    assert expand(TINY_TEXT.encode()) == TINY_TEXT


def test_form_1_stays_as_it_is() -> None:
    assert shrink(TINY_TEXT, TINY).hex() == AT_REST
    assert expand(bytes.fromhex(AT_REST), TINY) == TINY_TEXT


class Changed(Tiny):
    """The tiny game with a ruling that changed, and said so."""

    rules_version: ClassVar[int] = 2


class Slipped(Tiny):
    """The tiny game with a ruling that changed, and nobody said so."""

    def result(self, state: TinyState) -> Result | None:
        result = super().result(state)
        detail: dict[str, Json] = {"cards": []}
        return result and replace(result, detail=detail)


def test_other_rules_are_named_beside_ours() -> None:
    shrunk = shrink(TINY_TEXT, TINY)
    with pytest.raises(
        RulesChanged, match=r"match m-1: stored under version 1 .* of tiny, .* has version 2; a Bot Arena"
    ):
        expand(shrunk, Changed())


def test_rules_that_changed_in_silence_are_found_out() -> None:
    with pytest.raises(
        RulesChanged, match=r"match m-1: the rules of tiny give another match .* still are version 1"
    ):
        expand(shrink(TINY_TEXT, TINY), Slipped())


def test_a_form_of_a_later_program_is_refused() -> None:
    with pytest.raises(RulesChanged, match="its form is 2, this program reads 0 and 1; update Bot Arena"):
        expand(b"\x02...")

"""Any right record with one thing changed in it is refused, by the reader or by `verify`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.kernel import IllegalAction, Played, Result, advance
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, RecordError, from_json, to_json
from arena.match.verification import verify
from tests.examples import scaled
from tests.games.playing import GAMES, TABLES, Configuration, play, record

FREE = {"bot", "version", "message", "ms", "say", "kind", "talks", "talk"}
"""Fields that may hold other values in a record that is right, too: nothing is known of them."""

SEED = bytes(range(32))


def shorten(table: Configuration) -> dict[str, int]:
    return {option.name: 1 for option in table.game.options(table.variant, table.seats)[:1]}


WHOLE = {
    str(table): to_json(record(play(table, SEED, random.Random(2), **shorten(table)))) for table in TABLES
}


def fail(text: str) -> str:
    """End a match by a crash of seat 0 before its last action."""
    whole = from_json(text)
    steps = whole.steps
    at = next(at for at in reversed(range(len(steps))) if steps[at].ms is not None)
    together = steps[at].step.together  # type: ignore[union-attr]
    if together is not None:
        at = next(at for at in range(len(steps)) if getattr(steps[at].step, "together", None) == together)
    seats = len(whole.seats)
    ending = Ending((seats, *(1,) * (seats - 1)), "fault", fault=SeatFault(0, FaultKind.CRASH, ""))
    return to_json(replace(whole, steps=steps[:at], result=ending))


FAULTY = {name: fail(text) for name, text in WHOLE.items()}


def refused(text: str) -> bool:
    try:
        read = from_json(text)
    except RecordError:
        return True
    return verify(read, GAMES.get(read.game)) is not None


def walk(value: Any) -> Iterator[tuple[Any, Any]]:
    """Find all places: each a container and a key or index in it."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in places:
        if key not in FREE:
            yield value, key
            yield from walk(inner)


def spoil(value: Any, chooser: random.Random) -> Any:
    """Give another value that is never right in the place of this one."""
    if isinstance(value, bool) or value is None:
        return 7
    if isinstance(value, int):
        return chooser.choice(
            (value + 1, value - 1, -1 - value, float(value), str(value), None, value + 2**64)
        )
    if isinstance(value, str):
        return chooser.choice(
            (f"{value}?", f" {value}", f"{value} ", value.swapcase() + "!", len(value), [value], None)
        )
    return chooser.choice((None, 0, "", [value], {"": value}))


def mutate(document: Any, chooser: random.Random) -> None:
    """Change one thing: a value, a key, an entry that is dropped, doubled or swapped with its neighbour."""
    inner, key = chooser.choice([*walk(document)])
    ways = ["spoil", "drop"]
    if isinstance(inner, list):
        ways += ["double", "swap"]
    if isinstance(inner[key], dict):
        ways += ["add"] * 3
    match chooser.choice(ways):
        case "spoil" if inner is document.get("options"):
            # Another value that the game allows may give the very same match, and then its record is right.
            inner[key] = chooser.choice((-1, 2**64, float(inner[key]), None))
        case "spoil":
            inner[key] = spoil(inner[key], chooser)
        case "drop":
            del inner[key]
        case "double":
            inner.insert(key, inner[key])
        case "swap":
            other = (key + 1) % len(inner)
            inner[key], inner[other] = inner[other], inner[key]
        case _:
            inner[key][chooser.choice(("x", "talks", "scores", "dummy", "round", "together", "detail"))] = 0


def strip(document: Any) -> str:
    """Write a document without what is free: who the bots were and which of them talked, and what was said."""
    kept = dict(document)
    if isinstance(kept.get("seats"), list) and all(isinstance(seat, dict) for seat in kept["seats"]):
        kept["seats"] = sorted(sorted(seat) for seat in kept["seats"])
    if isinstance(kept.get("steps"), list) and all(isinstance(step, dict) for step in kept["steps"]):
        kept["steps"] = [step for step in kept["steps"] if "say" not in step]
    return json.dumps(kept, sort_keys=True)


def is_neutral(before: Any, after: Any) -> bool:
    """Return whether nothing was changed, or only in what is free."""
    return strip(before) == strip(after)


def is_another_match(before: Any, document: Any) -> bool:
    """Return whether only steps were changed, and they are right, too: of several actions in a turn the order may not matter."""
    try:
        read = from_json(json.dumps(document))
    except RecordError:
        return False
    if {**document, "steps": 0} != {**before, "steps": 0}:
        return False
    game = GAMES[read.game]
    setup = game.setup(len(read.seats), variant=read.variant, options=read.options)
    state, opening = game.new(setup, read.seed)
    steps = list(opening)
    try:
        for recorded in read.steps:
            if isinstance(recorded.step, Played):
                state, more, _ = advance(game, state, (recorded.step.action,), 0)
                steps += more
    except IllegalAction:
        return False
    result, whole = read.result, game.result(state)
    alike = whole is None or whole == Result(
        result.scores or (), result.places, result.end, result.detail or {}
    )
    return steps == [recorded.step for recorded in read.steps] and alike


@pytest.mark.parametrize("name", WHOLE)
def test_the_records_are_right(name: str) -> None:
    assert not refused(WHOLE[name])
    assert not refused(FAULTY[name])


@settings(max_examples=scaled(250))
@given(name=st.sampled_from(sorted(WHOLE)), seed=st.integers(0, 1 << 32))
def test_record_with_one_change_is_refused(name: str, seed: int) -> None:
    before, document = json.loads(WHOLE[name]), json.loads(WHOLE[name])
    mutate(document, random.Random(seed))
    assert is_neutral(before, document) or refused(json.dumps(document)) or is_another_match(before, document)


@settings(max_examples=scaled(150))
@given(name=st.sampled_from(sorted(FAULTY)), seed=st.integers(0, 1 << 32))
def test_record_of_a_fault_with_one_change_is_refused(name: str, seed: int) -> None:
    before, document = json.loads(FAULTY[name]), json.loads(FAULTY[name])
    mutate(document, random.Random(seed))
    # Without its last point it is the record of an earlier crash; how long the match would have been is not seen.
    earlier = {**document, "steps": 0} == {**before, "steps": 0} and document.get("steps") == before["steps"][
        :-1
    ]
    longer = {**document, "options": 0} == {**before, "options": 0}
    assert (
        earlier
        or longer
        or is_neutral(before, document)
        or refused(json.dumps(document))
        or is_another_match(before, document)
    )


@settings(max_examples=scaled(50))
@given(
    name=st.sampled_from(sorted(WHOLE)), field=st.sampled_from(["seed", "commitment"]), at=st.integers(0, 63)
)
def test_hex_digit_that_is_changed_is_refused(name: str, field: str, at: int) -> None:
    document = json.loads(WHOLE[name])
    text = document[field]
    document[field] = text[:at] + f"{(int(text[at], 16) + 1) % 16:x}" + text[at + 1 :]
    assert refused(json.dumps(document))


@settings(max_examples=scaled(50))
@given(name=st.sampled_from(sorted(WHOLE)), size=st.floats(0, 1, exclude_max=True))
def test_record_cut_short_is_refused(name: str, size: float) -> None:
    document = json.loads(WHOLE[name])
    document["steps"] = document["steps"][: int(size * len(document["steps"]))]
    assert refused(json.dumps(document))


@settings(max_examples=scaled(100))
@given(text=st.text('{}[]":,01e.', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert refused(text)

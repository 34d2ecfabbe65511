from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from arena.games.kernel import Chance, Claim, DummyPlayed, Line, Played, Said
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, Participant, Record, RecordedStep, RecordError, from_json, to_json
from tests.games.playing import TABLES, Configuration, play, record

EXAMPLE = Record(
    match="m-1",
    game="tiny",
    variant="standard",
    options={"rounds": 2, "talk": 1},
    seed=bytes(32),
    commitment=bytes(range(32)),
    seats=(Participant("alice/greedy", "3", talks=True), Participant("ñandú", "1")),
    steps=(
        RecordedStep(Chance("deal", ("1", "2", "3 4"))),
        RecordedStep(Said(0, Line("¡hola!", (Claim("ask", 1, "A", "this"),)), 0)),
        RecordedStep(Played(0, "vote A", 0), 1.7),
        RecordedStep(Played(1, "vote B", 0), 0.0),
        RecordedStep(DummyPlayed("turn 3")),
        RecordedStep(Played(1, "take"), 3.0),
    ),
    result=Ending((1, 2), "completed", (3, -1), {"cards": [1, 2]}),
)

WRITTEN = (
    '{"format":"arena-match/1","match":"m-1","game":"tiny","variant":"standard","options":{"rounds":2,"talk":1},'
    f'"seed":"{"00" * 32}","commitment":"{bytes(range(32)).hex()}",'
    '"seats":[{"bot":"alice/greedy","version":"3","talks":true},{"bot":"ñandú","version":"1"}],'
    '"steps":[{"chance":"deal","outcome":["1","2","3 4"]},'
    '{"seat":0,"say":{"text":"¡hola!","claims":[{"kind":"ask","seat":1,"vote":"A","when":"this"}]},"round":0},'
    '{"seat":0,"action":"vote A","together":0,"ms":1.7},{"seat":1,"action":"vote B","together":0,"ms":0},'
    '{"dummy":"turn 3"},{"seat":1,"action":"take","ms":3}],'
    '"result":{"scores":[3,-1],"places":[1,2],"end":"completed","detail":{"cards":[1,2]}}}'
)


def changed(path: str, value: Any = None, *, drop: bool = False) -> str:
    """Return the example's JSON with one field changed, or dropped."""
    document: Any = json.loads(WRITTEN)
    *way, last = [int(name) if name.isdigit() else name for name in path.split(".")]
    inner = document
    for name in way:
        inner = inner[name]
    if drop:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(document)


def test_record_is_written_on_one_line_in_the_order_of_its_keys() -> None:
    assert to_json(EXAMPLE) == WRITTEN


def test_record_is_read_as_it_was_written() -> None:
    assert from_json(WRITTEN) == EXAMPLE


def test_spaces_and_the_order_of_keys_do_not_matter() -> None:
    document = json.loads(WRITTEN)
    assert from_json(json.dumps(dict(reversed(document.items())), indent=2)) == EXAMPLE


def test_fault_is_read_as_it_was_written() -> None:
    ending = Ending((1, 2), "fault", fault=SeatFault(1, FaultKind.ILLEGAL_ACTION, "index 9"))
    faulty = replace(EXAMPLE, result=ending)
    text = to_json(faulty)
    fault = '{"seat":1,"kind":"illegal action","message":"index 9"}'
    assert text.endswith(f'"result":{{"places":[1,2],"end":"fault","fault":{fault}}}}}')
    assert from_json(text) == faulty


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_matches_of_every_game_survive_json(table: Configuration) -> None:
    written = record(play(table, bytes(32), random.Random(3)))
    again = from_json(to_json(written))
    assert (again.steps, again.seats, again.options) == (written.steps, written.seats, written.options)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "arena-match/2", "format: must be 'arena-match/1'"),
        ("match", 1, "match: must be a string"),
        ("seed", "00" * 31, "seed: must be 64 hex digits"),
        ("seed", "AA" * 32, "seed: must be 64 hex digits in lower case"),
        ("seed", "0 " * 32, "seed: must be 64 hex digits"),
        ("commitment", "g" * 64, "commitment: must be 64 hex digits"),
        ("commitment", 5, "commitment: must be 64 hex digits"),
        ("options", [], "options: must be an object"),
        ("options.talk", 1.0, r"options\.talk: must be an integer; it is 1\.0"),
        ("options.talk", True, r"options\.talk: must be an integer; it is True"),
        ("seats", {}, "seats: must be a list"),
        ("seats.0", "alice", r"seats\[0\]: must be an object"),
        ("seats.1.talks", False, r"seats\[1\]\.talks: must be true, or left out"),
        ("seats.1.talks", 1, r"seats\[1\]\.talks: must be true, or left out"),
        ("seats.1.version", 1, r"seats\[1\]\.version: must be a string"),
        ("seats.1.owner", "bob", r"seats\[1\]\.owner: is no field of a record"),
        ("steps.0.ms", 0, r"steps\[0\]\.ms: is no field"),
        ("steps.1.ms", 0, r"steps\[1\]\.ms: is no field"),
        ("steps.4.ms", 0, r"steps\[4\]\.ms: is no field"),
        ("steps.4.together", 0, r"steps\[4\]\.together: is no field"),
        ("steps.0.outcome", ["1", 2], r"steps\[0\]\.outcome\[1\]: must be a string"),
        ("steps.1.say.claims", None, r"steps\[1\]\.say\.claims: must be a list"),
        ("steps.1.say.tone", "low", r"steps\[1\]\.say\.tone: is no field"),
        ("steps.1.say.claims.0.seat", "1", r"claims\[0\]\.seat: must be an integer"),
        ("steps.1.say.claims.0.why", "", r"claims\[0\]\.why: is no field"),
        ("steps.1.round", -1, r"steps\[1\]\.round: must be an integer, 0 or more"),
        ("steps.2.ms", -0.1, r"steps\[2\]\.ms: must be a number, 0 or more"),
        ("steps.2.ms", "1", r"steps\[2\]\.ms: must be a number"),
        ("result.end", "<b>won</b>", r"result\.end: must be one of completed, turn limit, fault; it is '<b>"),
        ("steps.2.ms", True, r"steps\[2\]\.ms: must be a number"),
        ("steps.2.ms", 10**400, r"steps\[2\]\.ms: must be a number"),
        ("steps.2.together", None, r"steps\[2\]\.together: must be an integer"),
        ("steps.2.seat", False, r"steps\[2\]\.seat: must be an integer"),
        ("steps.2.thought", "", r"steps\[2\]\.thought: is no field"),
        ("result.scores", [3, -1.0], r"result\.scores\[1\]: must be an integer"),
        ("result.places", [True, 2], r"result\.places\[0\]: must be an integer"),
        ("result.detail", [], r"result\.detail: must be an object"),
        ("result.fault", {}, r"result\.fault: is no field"),
        ("result.end", "fault", r"result\.fault: is missing"),
        ("rules", 1, "rules: is no field of a record"),
    ],
)
def test_wrong_field_is_named(path: str, value: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        from_json(changed(path, value))


@pytest.mark.parametrize(
    "path",
    [
        *("format", "match", "game", "variant", "options", "seed", "commitment", "seats", "steps", "result"),
        *("seats.0.bot", "seats.0.version", "steps.0.outcome", "steps.1.round", "steps.1.say.text"),
        *("steps.1.say.claims", "steps.1.say.claims.0.when", "steps.2.seat", "steps.2.ms", "steps.5.action"),
        *("result.scores", "result.places", "result.end", "result.detail"),
    ],
)
def test_missing_field_is_named(path: str) -> None:
    with pytest.raises(RecordError, match=f"{path.rsplit('.', 1)[-1]}: is missing"):
        from_json(changed(path, drop=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be JSON"),
        ("[]", "^record: must be an object"),
        (WRITTEN[:-1], "must be JSON"),
        (WRITTEN + "x", "must be JSON"),
        (WRITTEN.replace('"ms":1.7', '"ms":NaN'), "NaN"),
        (WRITTEN.replace('"ms":1.7', '"ms":Infinity'), "Infinity"),
        (WRITTEN.replace('"ms":1.7', '"ms":1e999'), "must be a number, 0 or more"),
        (WRITTEN.replace('"ms":1.7', '"ms":1,"ms":1'), "ms: stands twice"),
        (WRITTEN.replace("ñandú", "\\ud800"), "must be JSON in UTF-8"),
        (WRITTEN.replace("[1,2]}", "[" * 50 + "]" * 50 + "}"), "nested 16 deep at most"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 10_000, "a number of too many digits"),
    ],
)
def test_text_that_is_no_record_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        from_json(text)


def test_unknown_fault_is_refused() -> None:
    ending = {"places": [1, 2], "end": "fault", "fault": {"seat": 1, "kind": "boredom", "message": ""}}
    with pytest.raises(RecordError, match="must be one of illegal action, timeout, crash, protocol"):
        from_json(changed("result", ending))


def test_fault_with_scores_is_refused() -> None:
    fault = {"seat": 1, "kind": "crash", "message": ""}
    ending = {"scores": [0, 0], "places": [1, 2], "end": "fault", "fault": fault}
    with pytest.raises(RecordError, match=r"result\.scores: is no field"):
        from_json(changed("result", ending))

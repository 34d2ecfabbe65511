"""A record as columns comes back byte for byte, whatever it is, and needs no game's code for it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, RecordedStep, from_json, to_json
from arena.match.record_columns import COLUMNS, WHOLE, RecordUnreadable, decode, encode, fault_of
from arena.match.verification import verify
from tests.examples import scaled
from tests.games.playing import TABLES, Configuration, play, record
from tests.golden.matches import MATCHES, path
from tests.match import test_verification_mutations as mutations

GOLDEN = tuple(to_json(from_json(path(name).read_text(encoding="utf-8"))) for name in sorted(MATCHES))
"""The golden matches as the referee writes them."""

STRINGS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
INTEGERS = st.integers(-300, 300) | st.integers()
LEAVES = st.none() | st.booleans() | INTEGERS | st.floats(allow_nan=False, allow_infinity=False) | STRINGS
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=8,
)
ACTIONS = st.sampled_from(("play R5", "draw deck", "end", "", " ", "a  b ", "x\ny", "\n\n", "é ü", " lead"))
TIMES = st.integers(0, 2000).map(lambda tenths: tenths / 10 if tenths % 10 else tenths // 10)
PLAYED = st.fixed_dictionaries(
    {"seat": st.integers(0, 5), "action": ACTIONS | STRINGS},
    optional={"together": st.integers(0, 9), "ms": TIMES},
)
OUTCOMES = st.fixed_dictionaries({"chance": STRINGS, "outcome": st.lists(STRINGS, max_size=3)})
CLAIMS = st.fixed_dictionaries({"kind": STRINGS, "seat": st.integers(0, 5), "vote": STRINGS, "when": STRINGS})
SAYINGS = st.fixed_dictionaries({"text": STRINGS, "claims": st.lists(CLAIMS, max_size=2)})
SAID = st.fixed_dictionaries({"seat": st.integers(0, 5), "say": SAYINGS, "round": st.integers(0, 4)})
STEPS = PLAYED | OUTCOMES | SAID | st.fixed_dictionaries({"dummy": STRINGS})
DOCUMENTS = st.fixed_dictionaries({"format": STRINGS, "steps": st.lists(STEPS, max_size=30), "result": JSON})
"""Documents that are close enough to records to be taken apart."""


def write(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return all places: each a container and a key or index in it."""
    found = []
    values = [value]
    for each in values:
        keys = each if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ()
        found += [(each, key) for key in keys]
        values += [each[key] for key in keys]
    return found


def mutate(place: tuple[Any, Any], chooser: random.Random, value: object) -> None:
    """Change one place: to another value, dropped, doubled, moved to the end, or a field more."""
    inner, key = place
    if isinstance(inner, dict):
        match chooser.choice(("put", "drop", "add", "turn")):
            case "put":
                inner[key] = value
            case "drop":
                del inner[key]
            case "add":
                inner[chooser.choice(("x", "ms", "seat", "together", "steps", ""))] = value
            case _:
                inner[key] = inner.pop(key)
    else:
        match chooser.choice(("put", "drop", "double")):
            case "put":
                inner[key] = value
            case "drop":
                del inner[key]
            case _:
                inner.insert(key, inner[key])


@pytest.mark.parametrize("text", GOLDEN, ids=lambda text: json.loads(text)["match"])
def test_a_golden_match_is_taken_apart_and_comes_back(text: str) -> None:
    data = encode(text)
    assert data[0] == COLUMNS
    assert decode(data) == text
    assert len(data) < len(text)


@pytest.mark.parametrize("table", TABLES, ids=str)
@settings(max_examples=scaled(12), deadline=None)
@given(data=st.data())
def test_a_match_with_any_times_and_names_comes_back(table: Configuration, data: st.DataObject) -> None:
    seed = data.draw(st.binary(min_size=32, max_size=32))
    chooser = data.draw(st.randoms(use_true_random=False))
    whole = record(play(table, seed, chooser, **mutations.shorten(table)), data.draw(STRINGS))
    tenths = data.draw(st.lists(st.integers(0, 200) | st.integers(0, 10**13), min_size=1, max_size=30))
    steps = tuple(
        step if step.ms is None else RecordedStep(step.step, tenths[at % len(tenths)] / 10)
        for at, step in enumerate(whole.steps)
    )
    seats = tuple(replace(seat, bot=data.draw(STRINGS), version=data.draw(STRINGS)) for seat in whole.seats)
    whole = replace(whole, steps=steps, seats=seats)
    fault = SeatFault(0, data.draw(st.sampled_from(FaultKind)), data.draw(STRINGS))
    cut = data.draw(st.integers(0, len(steps)))
    faulty = replace(whole, steps=steps[:cut], result=Ending((1, 2), "fault", fault=fault))
    for each, message in ((whole, None), (faulty, fault.message)):
        text = to_json(each)
        encoded = encode(text)
        assert encoded[0] == COLUMNS
        assert decode(encoded) == text
        assert fault_of(encoded) == message


@settings(max_examples=scaled(500), deadline=None)
@given(data=st.data(), count=st.integers(1, 4))
def test_a_mutated_record_comes_back(data: st.DataObject, count: int) -> None:
    chooser = data.draw(st.randoms(use_true_random=False))
    document = json.loads(chooser.choice(GOLDEN))
    for _ in range(count):
        if not (there := places(document)):
            break
        mutate(chooser.choice(there), chooser, data.draw(JSON))
    text = write(document)
    assert decode(encode(text)) == text


@settings(max_examples=scaled(500), deadline=None)
@given(document=DOCUMENTS)
def test_a_document_like_a_record_is_taken_apart_and_comes_back(document: Any) -> None:
    text = write(document)
    data = encode(text)
    assert data[0] == COLUMNS
    assert decode(data) == text


@settings(max_examples=scaled(300), deadline=None)
@given(document=JSON, spaces=st.booleans(), escaped=st.booleans())
def test_any_json_comes_back(document: Any, spaces: bool, escaped: bool) -> None:  # noqa: FBT001
    text = json.dumps(document, ensure_ascii=escaped, indent=1 if spaces else None)
    assert decode(encode(text)) == text


@settings(max_examples=scaled(300), deadline=None)
@given(text=st.text('{}[]":,01e.-\\u steps\n', max_size=60) | STRINGS)
def test_any_text_comes_back(text: str) -> None:
    assert decode(encode(text)) == text


TEXT = '{"format":"arena-match/1","steps":[{"seat":0,"action":"a b","ms":1.5},{"seat":1,"action":"c","ms":0}],"result":{}}'


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(json.loads(TEXT)),
        TEXT.replace("1.5", "1.50"),
        TEXT.replace("1.5", "1.0"),
        TEXT.replace("1.5", "-0.0"),
        TEXT.replace("1.5", "1e999"),
        TEXT.replace("1.5", "NaN"),
        TEXT.replace('"format":', '"format":0,"format":'),
        TEXT.replace("a b", "\\ud800"),
        TEXT.replace("a b", "\\u0061 b"),
        TEXT.replace("[{", "[7,{"),
        TEXT + "\n",
        "[" * 100_000,
        f"[{'9' * 5000}]",
        "",
        "é",
    ],
)
def test_what_would_come_back_otherwise_is_kept_whole(text: str) -> None:
    assert encode(text)[0] == WHOLE
    assert decode(encode(text)) == text


@pytest.mark.parametrize("ms", ["1.55", "-1.5", "true", "null", '"1"', "1e+30", "123456789012345.6", "0.1"])
def test_unusual_times_come_back(ms: str) -> None:
    text = TEXT.replace("1.5", ms)
    assert encode(text)[0] == COLUMNS
    assert decode(encode(text)) == text


def test_a_wrong_step_comes_back_and_is_still_reported() -> None:
    whole = from_json(GOLDEN[0])
    step = whole.steps[0]
    wrong = to_json(replace(whole, steps=(step, step, *whole.steps[1:])))
    assert decode(encode(wrong)) == wrong
    found = verify(from_json(decode(encode(wrong))))
    assert found is not None
    assert found.step == 1


AT_REST = (
    "025b7b22666f726d6174223a226172656e612d6d617463682f31222c227374657073223a5b7b2273656174223a226469"
    "66666572656e636573222c22616374696f6e223a227465787473222c226d73223a2274656e746873227d5d2c22726573"
    "756c74223a7b7d7d2c5b5d2c226120622063222c5b5d5d0a020000000202010002010f00"
)
"""TEXT in form 2, as stores have it: it must be readable for ever."""

ALL_KINDS = write(
    {
        "format": "arena-match/1",
        "seed": "0f" * 32,
        "steps": [
            {"chance": "deal", "outcome": ["R2 Bx", "", "R2"]},
            {"seat": 1, "say": {"text": "¡hola!", "claims": []}, "round": 0},
            {"dummy": "turn R2"},
            {"seat": 0, "action": "play R2", "together": 0, "ms": 0.3},
            {"seat": 1, "action": "play Bx", "together": 0, "ms": 1234.5},
            {"seat": 0, "action": "draw deck", "ms": 17},
        ],
        "result": {"scores": [-1, 300], "places": [2, 1], "end": "completed", "detail": {}},
    }
)
ALL_KINDS_AT_REST = (
    "025b7b22666f726d6174223a226172656e612d6d617463682f31222c2273656564223a6e756c6c2c227374657073223a"
    "5b7b226368616e6365223a227465787473222c226f7574636f6d65223a226c69737473227d2c7b2273656174223a2264"
    "6966666572656e636573222c22736179223a226a736f6e222c22726f756e64223a22646966666572656e636573227d2c"
    "7b2264756d6d79223a227465787473227d2c7b2273656174223a22646966666572656e636573222c22616374696f6e22"
    "3a227465787473222c22746f676574686572223a22646966666572656e636573222c226d73223a2274656e746873227d"
    "2c7b2273656174223a22646966666572656e636573222c22616374696f6e223a227465787473222c226d73223a226469"
    "66666572656e636573227d5d2c22726573756c74223a7b2273636f726573223a5b2d312c3330305d2c22706c61636573"
    "223a5b322c315d2c22656e64223a22636f6d706c65746564222c2264657461696c223a7b7d7d7d2c5b2273656564225d"
    "2c22204278205232206465616c206465636b206472617720706c6179207475726e222c5b7b2274657874223a22c2a168"
    "6f6c6121222c22636c61696d73223a5b5d7d5d5d0a0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"
    "0f0f0f0f0f060001020303040103030201010200020102000207020002020206060201000003b9600002050422"
)


def test_form_2_stays_as_it_is() -> None:
    assert encode(TEXT).hex() == AT_REST
    assert decode(bytes.fromhex(AT_REST)) == TEXT


def test_form_2_of_all_kinds_of_columns_stays_as_it_is() -> None:
    assert encode(ALL_KINDS).hex() == ALL_KINDS_AT_REST
    assert decode(bytes.fromhex(ALL_KINDS_AT_REST)) == ALL_KINDS


@pytest.mark.parametrize("form", [1, 3, 123])
def test_a_form_that_is_not_known_is_refused(form: int) -> None:
    for read in (decode, fault_of):
        with pytest.raises(RecordUnreadable, match=rf"cannot be read: its form is {form}, .* reads 0 and 2"):
            read(bytes((form,)) + b"...")


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x02[]\n", b"\x00\xff", bytes.fromhex(AT_REST)[:-20]])
def test_damaged_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(RecordUnreadable, match="cannot be read"):
        decode(data)


@pytest.mark.parametrize("spaces", [False, True])
def test_the_fault_is_found_without_the_steps(spaces: bool) -> None:  # noqa: FBT001
    document = {"steps": [], "result": {"fault": {"seat": 0, "kind": "crash", "message": "gone"}}}
    data = encode(json.dumps(document) if spaces else write(document))
    assert data[0] == (WHOLE if spaces else COLUMNS)
    assert fault_of(data) == "gone"
    assert fault_of(encode(write({"steps": [], "result": {}}))) is None


def test_no_code_of_a_game_is_needed() -> None:
    script = (
        "import sys; from arena.match import record_columns as it; assert it.decode(it.encode(sys.argv[1])) == sys.argv[1];"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, GOLDEN[0]], capture_output=True, text=True, check=True
    )
    assert "arena.match.record_columns" in done.stdout
    assert "arena.games" not in done.stdout

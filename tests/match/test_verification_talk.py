"""A right record of Lifeboats with one thing changed in what was said, or by whom, is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from arena.games.lifeboats import LIFEBOATS
from arena.match.record import RecordError, from_json, to_json
from arena.match.verification import verify
from tests.games.playing import Configuration, play, record

# Seats 0 to 2 talk, seat 3 does not; in `stick` the talk may be ended between rounds of it.
WHOLE = {
    variant: to_json(record(play(Configuration(LIFEBOATS, variant, 4), bytes(32), random.Random(2), talk=3)))
    for variant in LIFEBOATS.variants
}
CLAIM = {"kind": "ask", "seat": 0, "vote": "K", "when": "this"}


def refused(document: Any) -> bool:
    try:
        read = from_json(json.dumps(document))
    except RecordError:
        return True
    return verify(read, LIFEBOATS) is not None


def lines(document: Any) -> list[int]:
    return [at for at, step in enumerate(document["steps"]) if "say" in step]


def with_claims(document: Any) -> Any:
    return next(step for step in document["steps"] if "say" in step and step["say"]["claims"])


def line(document: Any) -> Any:
    return document["steps"][lines(document)[0]]


def say(**fields: Any) -> Callable[[Any], None]:
    return lambda document: line(document)["say"].update(fields)


def claim(**fields: Any) -> Callable[[Any], None]:
    return lambda document: with_claims(document)["say"]["claims"][0].update(fields)


def step(**fields: Any) -> Callable[[Any], None]:
    return lambda document: line(document).update(fields)


def drop(key: str) -> Callable[[Any], None]:
    return lambda document: line(document)["say"].pop(key)


def drop_of_claim(key: str) -> Callable[[Any], None]:
    return lambda document: with_claims(document)["say"]["claims"][0].pop(key)


def say_nothing(document: Any) -> None:
    line(document)["say"] = {"text": "", "claims": []}


def double(document: Any) -> None:
    at = lines(document)[0]
    document["steps"].insert(at, document["steps"][at])


def speak_after_the_vote(document: Any) -> None:
    at = lines(document)[0]
    voted = next(
        later for later in range(at, len(document["steps"])) if "together" in document["steps"][later]
    )
    document["steps"].insert(voted, document["steps"].pop(at))


def speak_out_of_turn(document: Any) -> None:
    steps = document["steps"]
    at = next(
        at
        for at in lines(document)
        if "say" in steps[at + 1] and steps[at + 1]["round"] == steps[at]["round"]
    )
    steps[at], steps[at + 1] = steps[at + 1], steps[at]


def forget_a_round(document: Any) -> None:
    """Drop all of a first round of talk that had a second one."""
    steps = document["steps"]
    second = next(at for at in lines(document) if steps[at]["round"] == 1)
    first = second
    while "say" in steps[first - 1] or steps[first - 1].get("action") == "talk on":
        first -= 1
    del steps[first:second]


def speak_at_the_start_of_phase_3(document: Any) -> None:
    steps = document["steps"]
    at = next(at for at, each in enumerate(steps) if each.get("action", "").startswith("leave"))
    steps.insert(at, {**line(document), "round": 0})


def never_talk(document: Any) -> None:
    for seat in document["seats"]:
        seat.pop("talks", None)


def talk_less(document: Any) -> None:
    document["options"]["talk"] = 0


WRONG: dict[str, Callable[[Any], None]] = {
    "no text": drop("text"),
    "no claims": drop("claims"),
    "text too long": say(text="x" * 281),
    "text too long in bytes": say(text="ñ" * 141),
    "line feed": say(text="a\nb"),
    "control character": say(text="\x9f"),
    "half a surrogate": say(text="\ud800"),
    "text is a number": say(text=7),
    "claims is null": say(claims=None),
    "five claims": say(claims=[CLAIM] * 5),
    "another key in the line": say(tone="angry"),
    "silence": say_nothing,
    "unknown kind": claim(kind="swear"),
    "unknown seat": claim(seat=4),
    "seat below 0": claim(seat=-1),
    "seat is true": claim(seat=True),
    "unknown boat": claim(vote="G"),
    "hat": claim(vote="hat"),
    "unknown time": claim(when="never"),
    "no kind": drop_of_claim("kind"),
    "no seat": drop_of_claim("seat"),
    "no vote": drop_of_claim("vote"),
    "no time": drop_of_claim("when"),
    "another key in the claim": claim(why="because"),
    "later round": step(round=1),
    "round below 0": step(round=-1),
    "seat that does not talk": step(seat=3),
    "seat that does not exist": step(seat=4),
    "with a time": step(ms=1.0),
    "simultaneous": step(together=0),
    "said twice": double,
    "after the vote": speak_after_the_vote,
    "out of turn": speak_out_of_turn,
    "where nobody votes": speak_at_the_start_of_phase_3,
    "round left out": forget_a_round,
    "nobody talks": never_talk,
    "no talk in this match": talk_less,
}


@pytest.mark.parametrize("variant", WHOLE)
def test_the_record_is_right(variant: str) -> None:
    assert not refused(json.loads(WHOLE[variant]))


@pytest.mark.parametrize("variant", WHOLE)
@pytest.mark.parametrize("wrong", WRONG)
def test_talk_that_is_not_right_is_refused(wrong: str, variant: str) -> None:
    document = json.loads(WHOLE[variant])
    WRONG[wrong](document)
    assert json.dumps(document) != json.dumps(json.loads(WHOLE[variant]))
    assert refused(document)


def test_other_words_are_as_right(  # what was said is known from the record alone
) -> None:
    document = json.loads(WHOLE["standard"])
    line(document)["say"]["text"] = "¡socorro!"
    assert not refused(document)


def test_choice_of_the_stick_is_part_of_the_record() -> None:
    document = json.loads(WHOLE["stick"])
    at = next(
        at for at, each in enumerate(document["steps"]) if each.get("action") in {"talk on", "end talk"}
    )
    del document["steps"][at]
    assert refused(document)

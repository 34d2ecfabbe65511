"""Texts remember what they are made of; each message that is filled in has a value for all that it names."""

from __future__ import annotations

import ast
import string
from pathlib import Path

from arena.core.translatable import recall, say, say_many

ARENA = Path(__file__).parents[2] / "arena"


def test_text_stays_what_it_is_when_an_exception_carries_it() -> None:
    text = say("{bot} has left", bot="greedy@1")
    assert text == "greedy@1 has left"
    assert str(ValueError(text)) is text


def test_text_that_counts_takes_the_form_of_its_number() -> None:
    assert say_many("{number} set", "{number} sets", 1) == "1 set"
    assert say_many("{number} set", "{number} sets", 2) == "2 sets"


def test_stored_text_is_recognised_by_its_message() -> None:
    known = recall("after all 12 cycles nothing is certain", ["after all {cycles} cycles nothing is certain"])
    assert known.values == {"cycles": "12"}  # type: ignore[attr-defined]
    assert recall("as I like", ["all rounds are played"]) == "as I like"


def test_each_message_has_a_value_for_all_that_it_names() -> None:
    wrong = []
    for path in ARENA.rglob("*.py"):
        if "arena.core.translatable import" not in (source := path.read_text()):
            continue
        for call in ast.walk(ast.parse(source)):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                continue
            given = {each.arg for each in call.keywords}
            forms = {"say": 1, "say_many": 2}.get(call.func.id, 0)
            for form in call.args[:forms]:
                if not isinstance(form, ast.Constant):
                    continue  # one of a table of messages that are marked
                named = {name for _, name, _, _ in string.Formatter().parse(str(form.value)) if name}
                if None not in given and not named <= given | ({"number"} if forms == 2 else set()):
                    wrong.append(f"{path}:{call.lineno}: {named - given}")
    assert wrong == []

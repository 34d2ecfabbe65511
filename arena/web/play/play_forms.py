"""The forms of people who play: what they send, read once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from arena.core.errors import Refusal
from arena.core.translatable import mark, say
from arena.games.kernel import Claim, Line

if TYPE_CHECKING:
    from starlette.datastructures import FormData

_OPTION = "option_"
_ANY_SEAT = "any"
_MAX_DIGITS = 9
_CLAIM_WORDS = 4


def seat(form: FormData) -> int:
    """Read the seat that is wanted: a number, or any, and then chance has it.  Raises Refusal."""
    chosen = str(form.get("seat") or _ANY_SEAT)
    if chosen == _ANY_SEAT:
        return random.randrange(len(form.getlist("opponent")) + 1)
    return number(form, "seat")


def options(form: FormData) -> dict[str, int]:
    """Read the options of the game that are not left empty.  Raises Refusal."""
    return {
        name.removeprefix(_OPTION): number(form, name)
        for name in form
        if name.startswith(_OPTION) and form[name] != ""
    }


def number(form: FormData, field: str) -> int:
    """Read a whole number.  Raises Refusal."""
    text = str(form.get(field, ""))
    if len(text) > _MAX_DIGITS or not text.removeprefix("-").isdecimal():
        raise Refusal(
            "invalid",
            say(
                "{field} {text!r}: must be a whole number", field=field.removeprefix(_OPTION), text=text[:40]
            ),
            field=field.removeprefix(_OPTION),
        )
    return int(text)


def write_claim(claim: Claim) -> str:
    """Write a claim as the value of a button."""
    return f"{claim.kind} {claim.seat} {claim.vote} {claim.when}"


def line(form: FormData) -> Line:
    """Read a line: the claim of a button, or a text and the claims whose kind was chosen.  Raises Refusal."""
    if words := str(form.get("claim", "")).split():
        if len(words) != _CLAIM_WORDS:
            raise Refusal(
                "invalid",
                say(
                    "claim {claim!r}: must be a kind, a seat, a vote and a when",
                    claim=str(form["claim"])[:80],
                ),
                field="claim",
            )
        kind, about, vote, when = words
        return Line("", (Claim(kind, _digit(about), vote, when),))
    kinds, votes, whens = form.getlist("kind"), form.getlist("vote"), form.getlist("when")
    seats = form.getlist("claim_seat")
    if not len(kinds) == len(votes) == len(whens) == len(seats):
        raise Refusal("invalid", mark("claims: each needs a kind, a seat, a vote and a when"), field="claims")
    claims = [
        Claim(str(kind), _digit(about), str(vote), str(when))
        for kind, about, vote, when in zip(kinds, map(str, seats), votes, whens, strict=True)
        if kind
    ]
    return Line(str(form.get("text", "")).strip(), tuple(claims))


def _digit(text: str) -> int:
    """Read a seat; −1, which none has, for what is not one."""
    return int(text) if len(text) == 1 and text.isdecimal() else -1

"""Matching Pennies in words."""

from __future__ import annotations

from arena.core.translatable import mark, say
from arena.games.phrases import Phrases

_SIDES = {"heads": mark("heads"), "tails": mark("tails")}


def _name(word: str) -> str:
    return say(_SIDES[word]) if word in _SIDES else word


PHRASES = Phrases(
    actions={"show _": mark("show {a}")},
    verbs={"show": mark("show")},
    name=_name,
    draws_cards=False,
    chance={"stake": mark("it is drawn what the round is worth")},
)

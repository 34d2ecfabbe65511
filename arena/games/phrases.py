"""The words of a game on the pages: the values that its `board/phrases.py` is written with.

All texts are English and marked (`arena.core.translatable.mark`), so that the catalogues have them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.core.translatable import mark, say

if TYPE_CHECKING:
    from arena.games.kernel import Action, Claim, Option

Task: TypeAlias = "Callable[[Any, int, Sequence[Action]], str]"
"""Function from a seat's view, the seat and its legal actions, none where it may talk, to what it has to do."""

OneClickLines: TypeAlias = "Callable[[Any, int, Sequence[str]], Sequence[tuple[Claim, str]]]"
"""Function from a seat's view, the seat and the names of all to the claims that it is most likely to make now, each in its own words."""


def _your_turn(_view: object, _seat: int, _legal: object) -> str:
    return mark("Your turn")


def _no_lines(_view: object, _seat: int, _names: object) -> tuple[()]:
    return ()


def _as_it_is(word: str) -> str:
    return word


@dataclass(frozen=True, slots=True)
class OptionWords:
    """Words of an option: its label in forms, what the values of a match mean, and a hint for who chooses one."""

    label: str
    stated: Callable[[Mapping[str, int]], str]
    """Takes all options of a match: `6 hands`; empty where the value says nothing."""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Phrases for a game's notation."""

    actions: Mapping[str, str]
    """An action → its words: `play _` → `play {a}`.  `_` matches a word that names something: `{a}`, `{b}`, `{c}` in
    order.  Of several that fit, the one with the fewest `_` counts; an action that none fits stays in notation."""

    done: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """An action → its words in lists of events: after the name of its seat, `played {a}`, and addressed to the seat
    itself, `You played {a}`.  An action that none fits appears as in `actions`."""

    addressed: Mapping[str, str] = field(default_factory=dict)
    """A sentence of the narration about `{name}` → the same to the person whom it is about: `You score {points}.`"""

    verbs: Mapping[str, str]
    """The first word of an action → the heading of its buttons.  An action of several words that is listed here as a
    whole is one button."""

    name: Callable[[str], str] = _as_it_is
    """Puts what an action names into words: `R7` → `the red 7`.  A hidden one (`?`) never gets here."""

    draws_cards: bool = True
    """Whether what actions name are cards, which lists of steps draw instead of writing them in words."""

    chance: Mapping[str, str] = field(default_factory=dict)
    """The name of a chance event → what happens; `deal` need not be in it."""

    claims: Mapping[str, str] = field(default_factory=dict)
    """A kind of claim → its sentence, with `{vote}`, `{when}` and `{seat}`; for games with talk, as the next two are.
    `ask the same` is what an `ask` says after a claim about the same vote."""

    claim_verbs: Mapping[str, str] = field(default_factory=dict)
    """A kind of claim → its verb, in a bubble on the board."""

    whens: Mapping[str, str] = field(default_factory=dict)
    """A claim's time → its words."""

    options: Mapping[str, OptionWords] = field(default_factory=dict)
    """The name of an option → its words; one that is not in it goes by its name."""

    variants: Mapping[str, str] = field(default_factory=dict)
    """A variant → what people call it; `standard` need not be in it."""

    task: Task = _your_turn
    """Says what a person has to do: `Discard a card`."""

    one_click_lines: OneClickLines = _no_lines
    """Lists the claims that a person can make with one click: a promise, and `I vote yellow`."""

    def variant_name(self, variant: str) -> str:
        """Return what people call a variant."""
        if variant == "standard":
            return mark("Standard")
        return self.variants.get(variant, variant.replace("_", " "))

    def option_words(self, option: Option) -> OptionWords:
        """Return the words of an option; its name and meaning where there are none."""
        name = option.name
        return self.options.get(name) or OptionWords(
            name, lambda values: f"{name} {values[name]}", option.meaning
        )

    def describe_options(self, values: Mapping[str, int]) -> str:
        """Write the options of a match: `6 hands, boats placed at random`; empty where there is nothing to say."""
        said = [
            self.options[name].stated(values) if name in self.options else f"{name} {value}"
            for name, value in values.items()
        ]
        written = ""
        for each in filter(None, said):
            written = say("{before}, {then}", before=written, then=each) if written else each
        return written

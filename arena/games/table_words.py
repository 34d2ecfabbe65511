"""What a match is played with, in words for people: the variant, the options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from arena.core.translatable import mark, say
from arena.games import registry
from arena.games.kernel import Option
from arena.games.phrases import OptionWords

STANDARD = mark("Standard")
"""Name of a variant that has no other."""


def variant_name(variant: str, game: str) -> str:
    """Return what people call a variant of a game."""
    if variant == "standard":
        return STANDARD
    return registry.package(game).phrases.variants.get(variant, variant.replace("_", " "))


def option_words(option: Option, game: str) -> OptionWords:
    """Return the words of an option; its name and meaning where its game has none."""
    found = registry.package(game).phrases.options.get(option.name)
    return found or OptionWords(
        option.name, lambda values: f"{option.name} {values[option.name]}", option.meaning
    )


def describe_options(values: Mapping[str, int], game: str) -> str:
    """Write the options of a match: `6 hands, boats placed at random`; empty where there is nothing to say."""
    words = registry.package(game).phrases.options
    said = [
        words[name].stated(values) if name in words else f"{name} {value}" for name, value in values.items()
    ]
    return (
        reduce(lambda before, then: say("{before}, {then}", before=before, then=then), filter(None, said))
        if any(said)
        else ""
    )

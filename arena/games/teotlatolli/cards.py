"""Signs and gods of Teotlatolli, and sets of sign cards as numbers.

Up to four cards of each sign can be together, so a set of cards has four layers of 20 bits.  Bit s of the lowest layer says
that sign s is there, bit s of the next one that there are two of it, and so on:

    bit  79 … 60 │ 59 … 40 │ 39 … 20 │ 19 … 0
           four  │  three  │   two   │  one or more

So one `&` shows whether a sign is there, `==` whether a side holds the signs of its god, each exactly once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

Cards = int
"""A set of sign cards; equal ones may be in it."""

SIGNS: Final = (
    "cipactli",
    "ehecatl",
    "calli",
    "cuetzpalin",
    "coatl",
    "miquiztli",
    "mazatl",
    "tochtli",
    "atl",
    "itzcuintli",
    "ozomatli",
    "malinalli",
    "acatl",
    "ocelotl",
    "cuauhtli",
    "cozcacuauhtli",
    "ollin",
    "tecpatl",
    "quiahuitl",
    "xochitl",
)
COPIES: Final = 4
GODS: Final = range(1, 21)
_LAYER: Final = 20
_ALL: Final = (1 << 20) - 1

DECK: Final = tuple(sign for sign in range(len(SIGNS)) for _ in range(COPIES))
"""All sign cards as signs, 0 to 19, in the order of the page."""

SIGN_BITS: Final = {name: 1 << sign for sign, name in enumerate(SIGNS)}
CARDINALS: Final = sum(SIGN_BITS[name] for name in ("calli", "tochtli", "acatl", "tecpatl"))

BEARS: Final[tuple[Cards, ...]] = (
    0,
    *[sum(1 << (god + step) % 20 for step in (-1, 0, 2, 13)) for god in GODS],
)
"""By god (there is none at 0): its four signs.  God i bears the signs i, i + 1, i + 3 and i + 14, counted from 1."""


def add(cards: Cards, bit: int) -> Cards:
    """Add a card of the sign with that bit."""
    while cards & bit:
        bit <<= _LAYER
    return cards | bit


def remove(cards: Cards, bit: int) -> Cards:
    """Take away a card of the sign with that bit, of which there must be one."""
    while cards & bit << _LAYER:
        bit <<= _LAYER
    return cards ^ bit


def merge(*sets: Cards) -> Cards:
    """Put sets together."""
    merged = 0
    for cards in sets:
        for sign in list_signs(cards):
            merged = add(merged, 1 << sign)
    return merged


def gather(signs: tuple[int, ...]) -> Cards:
    """Make a set of signs."""
    cards = 0
    for sign in signs:
        cards = add(cards, 1 << sign)
    return cards


@lru_cache(maxsize=1 << 11)
def list_signs(cards: Cards) -> tuple[int, ...]:
    """List the signs in a set, each as often as it is there, in the order of the deck."""
    signs: list[int] = []
    left = cards & _ALL
    while left:
        bit = left & -left
        left ^= bit
        sign = bit.bit_length() - 1
        while cards & bit:
            signs.append(sign)
            bit <<= _LAYER
    return tuple(signs)


@lru_cache(maxsize=1 << 11)
def name_cards(cards: Cards) -> tuple[str, ...]:
    """List the names in a set, in the order of the deck.  Cached: from one view to the next nearly all are the same."""
    return tuple([SIGNS[sign] for sign in list_signs(cards)])


def bits_of(cards: Cards) -> tuple[int, ...]:
    """List the different signs in a set as bits, in the order of the deck."""
    return tuple([1 << sign for sign in range(len(SIGNS)) if cards >> sign & 1])


def subsets(cards: Cards) -> tuple[Cards, ...]:
    """List all sets of the different signs in a set."""
    found = [0]
    for bit in bits_of(cards):
        found += [subset | bit for subset in found]
    return tuple(found)

"""The API's models of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class Option:
    """A number that a match may set."""

    name: Annotated[str, Field(description="Its name.", examples=["hands"])]
    low: Annotated[int, Field(description="The lowest value.", examples=[1])]
    high: Annotated[int, Field(description="The highest value.", examples=[9])]
    standard: Annotated[int, Field(description="The value if none is given.", examples=[3])]
    meaning: Annotated[str, Field(description="What it does.", examples=["hands of a match"])]


@dataclass(frozen=True, slots=True)
class Variant:
    """A named form of a game, with its standard table first."""

    name: Annotated[str, Field(description="Its name.", examples=["standard"])]
    seats: Annotated[tuple[int, ...], Field(description="The seat counts it is played with.", examples=[[2]])]
    options: Annotated[tuple[Option, ...], Field(description="The options it has at its smallest table.")]


@dataclass(frozen=True, slots=True)
class Game:
    """A game of this arena."""

    id: Annotated[str, Field(description="Its id, as everywhere.", examples=["lost_cities"])]
    title: Annotated[str, Field(description="Its name for people.", examples=["Lost Cities"])]
    rules_version: Annotated[
        int, Field(description="Changes when the same seed and actions would give another match.")
    ]
    variants: Annotated[tuple[Variant, ...], Field(description="The standard one first.")]

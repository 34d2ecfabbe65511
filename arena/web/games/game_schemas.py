"""The API's models of games."""

from __future__ import annotations

from pydantic import Field

from arena.web.http.response_model import Model


class Option(Model):
    """A number that a match may set."""

    name: str = Field(description="Its name.", examples=["hands"])
    low: int = Field(description="The lowest value.", examples=[1])
    high: int = Field(description="The highest value.", examples=[9])
    standard: int = Field(description="The value if none is given.", examples=[3])
    meaning: str = Field(description="What it does.", examples=["hands of a match"])


class Variant(Model):
    """A named form of a game, with its standard table first."""

    name: str = Field(description="Its name.", examples=["standard"])
    seats: list[int] = Field(description="The seat counts it is played with.", examples=[[2]])
    options: list[Option] = Field(description="The options it has at its smallest table.")


class Game(Model):
    """A game of this arena."""

    id: str = Field(description="Its id, as everywhere.", examples=["lost_cities"])
    title: str = Field(description="Its name for people.", examples=["Lost Cities"])
    rules_version: int = Field(description="Changes when the same seed and actions would give another match.")
    variants: list[Variant] = Field(description="The standard one first.")

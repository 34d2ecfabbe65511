"""The API's models of what is decided about a tournament: rounds, points, tests, the log."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from arena.web.http.response_model import Model

_ENTRIES = "Numbers of entries."


class Tie(Model):
    """Two entries that met in a round."""

    entries: list[int] = Field(description=_ENTRIES, examples=[[0, 3]])
    points: list[float] = Field(
        description="What each took so far: a match won is a point.", examples=[[3.0, 1.0]]
    )
    winner: int | None = Field(
        description="In a knockout, the entry that went on; null while the tie is open."
    )
    sets: int = Field(description="How many sets of two matches it has so far.", examples=[2])


class Round(Model):
    """A round of a Swiss or a knockout."""

    number: int = Field(description="Counted from 1.", examples=[1])
    name: str = Field(description="Its name.", examples=["Semi-finals"])
    ties: list[Tie] = Field(description="Who meets whom.")
    byes: list[int] = Field(description=f"Who goes on without playing. {_ENTRIES}", examples=[[4]])


class Points(Model):
    """What an entry has in a Swiss."""

    entry: int = Field(description="The entry's number.", examples=[0])
    points: float = Field(description="A match won is a point, a bye is two.", examples=[7.5])
    byes: int = Field(description="How often it sat out.", examples=[1])


class Sprt(Model):
    """How a test between two versions stands, from the side of entry 0."""

    sets: int = Field(description="Sets with a result.", examples=[48])
    llr: float = Field(description="The log-likelihood ratio of the two claims.", examples=[1.27])
    low: float = Field(description="At this LLR elo0 is accepted.", examples=[-2.94])
    high: float = Field(description="At this LLR elo1 is accepted.", examples=[2.94])
    elo0: float = Field(description="One claim: by so much entry 0 is stronger.", examples=[0.0])
    elo1: float = Field(description="The other claim.", examples=[10.0])
    accepted: str | None = Field(description="elo0 or elo1; null before.")
    next_look: int | None = Field(
        description="The number of sets after which it is looked at next, and may end; null when it has ended.",
        examples=[24],
    )


class Decision(Model):
    """A decision about a tournament."""

    number: int = Field(description="Counted from 0.", examples=[2])
    kind: Literal["cycles", "drawn", "extend", "leave", "over"] = Field(description="What was decided.")
    words: str = Field(description="The decision in words.", examples=["round 3 was drawn"])
    basis: str | None = Field(
        description="SHA-256 of the results that it follows from; null where it follows from none."
    )
    at: float = Field(description="Seconds since the epoch, UTC.")


class LoggedDecision(Decision):
    """A decision as it stands in the log, and in an export."""

    data: dict[str, Any] = Field(description="All its fields; entries by their numbers.")

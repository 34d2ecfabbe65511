"""The API's models of what may be asked for; a field that is not known is refused."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from arena.match.clock import STANDARD

_LARGEST = 2**31 - 1
_MOST_BOTS = 1000


class Body(BaseModel):
    """What is sent."""

    model_config = ConfigDict(extra="forbid")


class TournamentWish(Body):
    """A round-robin to be created."""

    game: str = Field(max_length=64, description="The game's id.", examples=["lost_cities"])
    bots: list[Annotated[str, Field(max_length=200)]] = Field(
        max_length=_MOST_BOTS, description="NAME, or NAME@VERSION.", examples=[["greedy", "random"]]
    )
    variant: str | None = Field(None, max_length=64, description="The variant; null: the standard one.")
    seats: int | None = Field(None, ge=1, le=_LARGEST, description="Seats at a table; null: the fewest.")
    options: dict[str, Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]] = Field(
        {}, description="Options of the game.", examples=[{"hands": 1}]
    )
    time: str = Field(str(STANDARD), max_length=40, description="Time control, BASE+INC in seconds.")
    cycles: int = Field(1, ge=1, le=_LARGEST, description="How often everybody meets everybody.")
    trusted: bool = Field(default=False, description="Whether the bots are trusted not to remember deals.")
    name: str | None = Field(None, max_length=200, description="What it is called; null: made from the rest.")

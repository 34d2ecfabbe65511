"""Types of fields that many answers have, each with the description and the example that the API's document shows.

An answer is a frozen dataclass: what the domain returns is what pages, command line and API show.  A field that only one answer has is
described in its class, in the same way.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

GameId = Annotated[str, Field(description="The game's id.", examples=["lost_cities"])]
VariantName = Annotated[str, Field(description="The variant's name.", examples=["standard"])]
PoolKey = Annotated[str, Field(description="GAME/VARIANT.", examples=["lost_cities/standard"])]
SeatCount = Annotated[int, Field(description="Seats at a table.", examples=[2])]
Plays = Annotated[
    dict[str, tuple[int, ...]],
    Field(
        description="The tables that it plays, as it declares: the seat counts of each variant.",
        examples=[{"standard": [3, 4]}],
    ),
]
SuspendedIn = Annotated[
    dict[str, str],
    Field(description="The variants in which it is suspended after repeated faults, each with the reason."),
]
BotName = Annotated[str, Field(description="The bot's name.", examples=["greedy"])]
OwnBotName = Annotated[str, Field(description="The bot's name.", examples=["my-bot"])]
VersionName = Annotated[str, Field(description="Its version.", examples=["1"])]
Source = Annotated[str, Field(description="hosted, dial_in or endpoint.", examples=["hosted"])]
Verified = Annotated[
    bool, Field(description="Whether the arena started the bot itself, so that it knows what played.")
]
TournamentId = Annotated[int, Field(description="The tournament's number.", examples=[1])]
TournamentName = Annotated[str, Field(description="The tournament's name.")]
SetNumber = Annotated[int, Field(description="The set, counted from 0.", examples=[0])]
MatchNumber = Annotated[int, Field(description="The match of the set, counted from 0.", examples=[1])]
TimeControlText = Annotated[str, Field(description="Time control, BASE+INC in seconds.", examples=["30+0.1"])]
Algorithm = Annotated[str, Field(description="The version of the computation.")]
TotalsSha256 = Annotated[
    str, Field(description="SHA-256 of the pair and set totals that it was computed from.")
]
NextCursor = Annotated[
    str | None,
    Field(description="Send it as `cursor` to get the next page; null on the last.", examples=["50"]),
]
UtcTime = Annotated[float, Field(description="Seconds since the epoch, UTC.")]
PublicId = Annotated[str, Field(description="Its public id.", examples=["2b19c42bf0c904cf"])]

"""Parts of addresses, checked in one place, and what a view is given to work with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query
from redis import Redis

from arena.operations.readiness import Readiness
from arena.operations.write_probe import Probe
from arena.storage import Store
from arena.web.http.app_services import service

_LARGEST = 2**31 - 1
"""Numbers in addresses end where the store's integers do."""


TheStore = Annotated[Store, Depends(service(Store))]
TheQueue = Annotated[Redis, Depends(service(Redis))]
TheProbe = Annotated[Probe, Depends(service(Probe))]
TheReadiness = Annotated[Readiness, Depends(service(Readiness))]
GameId = Annotated[str, Path(description="The game's id.", examples=["lost_cities"])]
TournamentId = Annotated[int, Path(ge=1, le=_LARGEST, description="The tournament's number.", examples=[1])]
SetNumber = Annotated[int, Path(ge=0, le=_LARGEST, description="The set, counted from 0.", examples=[0])]
MatchNumber = Annotated[
    int, Path(ge=0, le=_LARGEST, description="The match of the set, counted from 0.", examples=[1])
]
PointNumber = Annotated[
    int | None, Query(ge=0, le=_LARGEST, description="The point of the match; the end if left out.")
]
StepNumber = Annotated[
    int | None,
    Query(ge=0, le=_LARGEST, description="A step of the record, as in MATCH:STEP; it stands for its point."),
]
SheetShown = Annotated[
    bool,
    Query(description="Whether to show the score sheet of what ended at the point instead of the board."),
]
EyeName = Annotated[
    str,
    Query(
        pattern=r"^(all|public|[0-9])$",
        description="Whose view of the board: all, a seat's number, or public for what everybody may see.",
    ),
]

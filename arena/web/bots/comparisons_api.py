"""Comparisons: a test of two versions of one's own bot on the arena."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from pydantic import Field

from arena.competition import estimates
from arena.competition.qualification import comparisons
from arena.scheduling.stop_rules import Sprt
from arena.service.requests import Body
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.bots.bots_api import Author, Name, TheRules
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.problems import answers

_MAX_ELO = 2000

router = api_router("/bots", tags=["bots"], dependencies=[Depends(keep_nowhere)])

VersionNumber = Annotated[str, Field(min_length=1, max_length=80)]


class ComparisonRequest(Body):
    """Which versions are to be compared, and what the test (SPRT) decides between."""

    first: VersionNumber = Field(description="The version that may be stronger.", examples=["6"])
    second: VersionNumber = Field(description="The version it is compared with.", examples=["5"])
    elo0: float = Field(
        0.0, ge=-_MAX_ELO, le=_MAX_ELO, description="Its claim that the first is so much stronger, or"
    )
    elo1: float = Field(
        comparisons.STANDARD_ELO1, ge=-_MAX_ELO, le=_MAX_ELO, description="so much; greater than elo0."
    )
    sets: int = Field(
        comparisons.MAX_SETS,
        ge=1,
        le=comparisons.MAX_SETS,
        description="The most sets that are played; 16 or more.",
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison that was begun."""

    tournament: Annotated[
        int, Field(description="The tournament that it is; it stands in no list.", examples=[7])
    ]
    seconds: Annotated[
        float | None,
        Field(
            description="About how long it takes if all sets are played, at the pace of the newest tournaments like it; null if there are none.",
            examples=[250.5],
        ),
    ]


@router.post(
    "/{game_id}/{name}/comparisons",
    status_code=201,
    summary="Compare two versions of one's own bot",
    responses=answers(401, 403, 404, 409, 410, 422, 429),
)
def compare_versions(
    body: ComparisonRequest,
    *,
    store: TheStore,
    actor: Author,
    rules: TheRules,
    game_id: GameId,
    name: Name,
) -> Comparison:
    """Play two versions of your bot against each other, unrated, until a test (SPRT) has decided or all sets are played."""
    number = comparisons.compare(
        store,
        actor,
        game_id,
        name,
        body.first,
        body.second,
        stop=Sprt(body.elo0, body.elo1),
        sets=body.sets,
        most=rules.comparisons_per_day,
    )
    return Comparison(number, estimates.seconds_of(store, number))

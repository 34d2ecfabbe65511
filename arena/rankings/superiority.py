"""Likelihood of superiority: how likely each bot is stronger than each other, by the results there are now."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Annotated

from pydantic import Field

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.pools import pool_scope, tournament_scope
from arena.core.answer_fields import Algorithm, TotalsSha256
from arena.rankings.public_ratings import find_pool, find_variant
from arena.ratings.model import ALGORITHM
from arena.ratings.rating_data import Inputs
from arena.storage import Store


@dataclass(frozen=True, slots=True)
class SuperiorityTable:
    """Likelihood of superiority (LOS): the probability that each bot is stronger than each other."""

    bots: Annotated[
        tuple[str, ...], Field(description="NAME@VERSION, best first.", examples=[["greedy@1", "random@1"]])
    ]
    chances: Annotated[
        tuple[tuple[float | None, ...], ...],
        Field(
            description="By row and column, 0 to 1: that the row's bot is the stronger; null where they never met. Empty for more than 200 bots.",
            examples=[[[0.5, 0.99], [0.01, 0.5]]],
        ),
    ]
    algorithm: Algorithm
    input_sha256: TotalsSha256


def superiority_of_pool(store: Store, game: str, variant: str) -> SuperiorityTable:
    """Return how likely each bot of a pool is stronger than each other, by the results there are now.

    Raises UsageError for a game or variant that does not exist.
    """
    find_variant(game, variant)
    with store.read() as session:
        pool = find_pool(session, game, variant)
        if pool is None:
            return SuperiorityTable((), (), ALGORITHM, rating_inputs.NOTHING.sha256)
        return store.cache.get(
            ("superiority", "pool", pool.id),
            rating_inputs.cache_version_of_pool(session, pool.id),
            lambda: _superiority(store, pool_scope(pool.id), rating_inputs.of_pool(session, pool.id).given),
        )


def superiority_of_tournament(store: Store, tournament_id: int) -> SuperiorityTable:
    """Return how likely each entry of a tournament is stronger than each other.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        return store.cache.get(
            ("superiority", "tournament", tournament_id),
            rating_inputs.cache_version_of_tournament(session, tournament_id),
            lambda: _superiority(
                store,
                tournament_scope(tournament_id),
                rating_inputs.of_tournament(session, tournament_id, stored.entries),
            ),
        )


def _superiority(store: Store, scope: str, given: Inputs) -> SuperiorityTable:
    table = rating_inputs.ratings_of(store, scope, given)
    chances = tuple(tuple(None if isnan(chance) else chance for chance in row) for row in table.superiority)
    return SuperiorityTable(tuple(row.name for row in table.rows), chances, ALGORITHM, given.sha256)

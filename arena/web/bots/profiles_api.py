"""Profiles: the JSON twin of a bot's page."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import Field

from arena.reports import bot_profiles, decision_times
from arena.web.games.leaderboards_api import Leader
from arena.web.games.measures_api import RatingHistory
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.response_cache import OfStore
from arena.web.http.response_model import Model
from arena.web.tournaments.tournament_schemas import Cell, MatchSummary

router = APIRouter(prefix="/bots", tags=["bots"], dependencies=[OfStore])

Name = Annotated[str, Path(max_length=80, description="The bot's name.", examples=["greedy"])]


class ProfileVersion(Model):
    """A version of a bot, its public part."""

    version: str = Field(description="Its version.", examples=["1"])
    state: Literal["active", "waiting", "failed", "superseded", "withdrawn", "suspended"] = Field(
        description="Whether it can be entered: only an active one can."
    )
    source: Literal["hosted", "dial_in", "endpoint"] = Field(description="How the referee reaches it.")
    verified: bool = Field(description="Whether the arena knows what played: it started it itself.")
    created_at: float = Field(description="Since when it is there: seconds since the epoch, UTC.")
    matches: int = Field(description="Matches in tournaments.", examples=[400])
    faults: int = Field(description="Those of them that it ended by a fault.", examples=[0])


class Opponent(Model):
    """A version that the bot met, and how the bot did against it."""

    bot: str = Field(description="The opponent's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    elo: float | None = Field(description="Its Elo.", examples=[1500.0])
    did: Cell = Field(description="How the bot did: once for each time they met.")


class ProfilePool(Model):
    """How the bot stands in one pool."""

    variant: str = Field(description="The variant's name.", examples=["standard"])
    rows: list[Leader] = Field(description="The rows of its versions in the Elo table, the newest last.")
    rated: int = Field(description="All rows of the table.", examples=[32])
    history: list[RatingHistory] = Field(description="The ratings of its versions, of the last year.")
    opponents: list[Opponent] = Field(description="Whom it met, the strongest first.")


class ProfileFault(Model):
    """A match that the bot ended by a fault."""

    tournament_id: int = Field(description="The tournament's number.", examples=[1])
    tournament: str = Field(description="The tournament's name.")
    set: int = Field(description="The set, counted from 0.", examples=[0])
    match: int = Field(description="The match of the set, counted from 0.", examples=[1])
    version: str = Field(description="Which version it was.", examples=["1"])
    kind: str = Field(description="The kind of fault.", examples=["timeout"])
    reason: str | None = Field(
        description="What was wrong, in words; null until its set is over, and when its record is not kept any more."
    )
    stored_at: float = Field(description="When its result was stored: seconds since the epoch, UTC.")


class Profile(Model):
    """What the public may know of a bot."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["greedy"])
    owner: str | None = Field(description="Whose bot it is; null for the house.", examples=["ada"])
    house: bool = Field(description="Whether it is the house's.")
    created_at: float = Field(description="Since when it is there: seconds since the epoch, UTC.")
    versions: list[ProfileVersion] = Field(description="The newest first.")
    pools: list[ProfilePool] = Field(description="Where it is rated.")
    last: list[MatchSummary] = Field(description="The matches of its last sets, the newest first.")
    faults: list[ProfileFault] = Field(description="Its last faults, the newest first.")
    faults_in_all: int = Field(description="All its faults in tournaments.", examples=[0])
    matches_in_all: int = Field(description="All its matches in tournaments.", examples=[400])


class Times(Model):
    """How long a bot's decisions took, those with one legal action left out."""

    matches: int = Field(description="The matches that were looked at, the last public ones.", examples=[12])
    decisions: int = Field(description="The decisions in them.", examples=[600])
    bounds_ms: list[float] = Field(description="Where each part but the last ends, in milliseconds.")
    counts: list[int] = Field(description="Decisions by part.")
    median_ms: float = Field(description="Half of them took longer; 0 without any.", examples=[1.5])
    p95_ms: float = Field(description="One in twenty took longer; 0 without any.", examples=[4.0])
    longest_ms: float = Field(description="The longest; 0 without any.", examples=[12.0])


@router.get("/{game_id}/{name}", response_model=Profile, summary="Show a bot", responses=answers(404, 422))
def show_bot(store: TheStore, game_id: GameId, name: Name) -> bot_profiles.Profile:
    """Return its versions, ratings, opponents, last matches and faults."""
    return bot_profiles.read(store, game_id, name)


@router.get("/{game_id}/{name}/times", summary="Show how long a bot thinks", responses=answers(404, 422))
def show_times(store: TheStore, game_id: GameId, name: Name) -> Times:
    """Return the distribution of its decision times, from the records of its last public matches."""
    found = decision_times.read(store, bot_profiles.read(store, game_id, name))
    return Times(
        matches=found.matches,
        decisions=found.decisions,
        bounds_ms=list(decision_times.BOUNDS_MS),
        counts=list(found.counts),
        median_ms=found.median_ms,
        p95_ms=found.p95_ms,
        longest_ms=found.longest_ms,
    )

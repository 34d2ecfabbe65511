"""The API's models of bots: what is sent, and what comes back."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena.web.http.response_model import Model
from arena.web.tournaments.tournament_requests import Body

_AT = "Seconds since the epoch, UTC."
_STATE = "waiting (for its qualification), failed, active, superseded or withdrawn; only active ones can be entered."
BotName = Annotated[str, Field(max_length=80, description="The bot's name.", examples=["my-bot"])]


class Addition(Body):
    """A bot that runs elsewhere."""

    name: BotName
    source: Literal["dial_in", "endpoint"] = Field(description="Whether it connects, or is connected to.")
    address: str | None = Field(
        None, max_length=300, description="Where an endpoint listens.", examples=["bots.example.org:7001"]
    )
    secret: str | None = Field(None, max_length=300, description="What is presented to an endpoint.")


class ChallengeWish(Body):
    """Whom a bot is to play."""

    others: list[BotName] = Field(
        min_length=1, max_length=10, description="The other bots, one for each seat."
    )


class Bot(Model):
    """A version of a bot."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["1"])
    source: str = Field(description="hosted, dial_in or endpoint.", examples=["hosted"])
    state: str = Field(description=_STATE, examples=["active"])
    owner: str | None = Field(description="Whose it is; null for the house.", examples=["ada"])
    verified: bool = Field(description="Whether the arena knows what plays: it starts it itself.")
    declared: str | None = Field(
        description="The version that a bot that runs elsewhere last said it is; unverified."
    )


class Added(Model):
    """A bot that was just added."""

    game: str = Field(description="The game's id.")
    bot: str = Field(description="The bot's name.")
    source: str = Field(description="dial_in or endpoint.")
    token_id: str | None = Field(description="The public id of a dial-in bot's token.")
    token: str | None = Field(description="The token that it connects with: it is shown this once.")


class OwnVersion(Model):
    """A version, as its owner sees it."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["2"])
    source: str = Field(description="hosted, dial_in or endpoint.", examples=["hosted"])
    state: str = Field(description=_STATE, examples=["waiting"])
    reason: str | None = Field(
        description="Why it failed its qualification, or why what the bot says it is did not become its version."
    )
    trial: int | None = Field(description="The tournament that is its last qualification.")
    files_kept: bool = Field(
        description="False of an upload whose files are deleted, since it is old and not in use: it cannot be brought back."
    )
    created_at: float = Field(description=_AT)


class OwnBot(Model):
    """A bot of one's own."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    source: str = Field(description="hosted, dial_in or endpoint.", examples=["hosted"])
    versions: int = Field(description="How many versions it has.", examples=[3])
    version: str = Field(description="Its newest version.", examples=["3"])
    state: str = Field(description=f"Of the newest version: {_STATE}", examples=["failed"])
    active: str | None = Field(description="The version that can be entered, if any.", examples=["2"])
    created_at: float = Field(description=f"When the newest version came. {_AT}")


class Connection(Model):
    """How a bot of one's own is connected."""

    token_id: str | None = Field(description="The public id of a dial-in bot's token.")
    token_created_at: float | None = Field(description=f"When that was made. {_AT}")
    address: str | None = Field(description="Where an endpoint listens.")
    present: bool | None = Field(
        description="Whether a bot that dials in is there now; null of any other, and where it is not known."
    )
    declared: str | None = Field(description="The version that it says it is.")
    referees: list[str] = Field(description="The addresses of the bots' ports.", examples=[["[::1]:8001"]])


class OwnEntry(Model):
    """A tournament that is open for entries, or that one's own bot is in."""

    id: int = Field(description="The tournament's number.", examples=[7])
    name: str = Field(description="What it is called.", examples=["Spring Cup"])
    variant: str = Field(description="The variant.", examples=["standard"])
    seats: int = Field(description="Seats at a table.", examples=[2])
    state: str = Field(description="How far it is.", examples=["open"])
    version: str | None = Field(description="The version that is entered; null: none is yet.")
    entries: int = Field(description="How many bots are entered.", examples=[4])


class Challenge(Model):
    """A challenge that was begun."""

    tournament: int = Field(description="The tournament that it is; it stands in no list.", examples=[7])


class LogEntry(Model):
    """One match of one's own bot."""

    tournament_id: int = Field(description="The tournament.")
    set: int = Field(description="The set, from 0.")
    match: int = Field(description="The match of the set, from 0.")
    id: str = Field(description="The match's id.")
    seat: int = Field(description="The bot's seat, from 0.")
    version: str = Field(description="The version that played.")
    end: str = Field(description="completed, turn limit or fault.")
    place: int = Field(description="Its place, 1 is the best.")
    fault_kind: str | None = Field(
        description="illegal action, timeout, crash or protocol, if it was at fault."
    )
    fault: str | None = Field(description="The message, if it was at fault and the record is kept.")
    fault_incident: str | None = Field(
        description="Names what its fault came of, if that may have ended other matches, too: one death of its process, one lost connection."
    )
    incident_matches: int = Field(
        description="How many matches that has ended, this one included; 0 without one."
    )
    decisions: int = Field(description="How often it was asked.")
    total_ms: float = Field(description="How long it took for all of them, in milliseconds.")
    longest_ms: float = Field(description="How long it took for the slowest, in milliseconds.")
    printed: int = Field(description="How many bytes it printed.")
    stored_at: float = Field(description=_AT)
    record_kept: bool = Field(description="False if its record, and so the times, are not kept any more.")
    output_kept: bool = Field(description="False if it is not kept any more what it printed.")


class Timing(Model):
    """A decision."""

    step: int = Field(description="Its step in the record, from 0.")
    action: str = Field(description="What was chosen.")
    ms: float = Field(description="How long that took, in milliseconds.")


class MatchLog(Model):
    """All about one match of one's own bot."""

    row: LogEntry = Field(description="The match.")
    stderr: str = Field(description="The end of what it printed.")
    dropped: int = Field(description="How many bytes it had printed before that.")
    timings: list[Timing] = Field(description="Its decisions, in order.")

"""Orders to a referee: matches to play, with the bot of each seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.match.clock import STANDARD, TimeControl


@dataclass(frozen=True, slots=True)
class Hosted:
    """A program that the referee starts: `house:<game>/<name>`, or `file:<path>` where the referee allows files.

    Matches of one program and lane share a process; processes of different lanes share nothing.
    """

    program: str
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A bot that listens: the referee dials its address (arena.net.address) and presents the secret."""

    address: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class DialIn:
    """A bot that connects by itself, with the token of this id."""

    token_id: str


@dataclass(frozen=True, slots=True)
class HumanSource:
    """A seat that the arena holds itself, for a person: `arena.referee_client.human_seat` has sat down under this id."""

    seat_id: str


Source: TypeAlias = Hosted | Endpoint | DialIn | HumanSource


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """Order for a seat: its bot and version as they are in the record, and how the bot is reached."""

    bot: str
    version: str
    source: Source


@dataclass(frozen=True, slots=True)
class Order:
    """A match to play; `options` may leave out those at their standard value, `seed` is 32 bytes."""

    match: str
    game: str
    variant: str
    seats: tuple[SeatOrder, ...]
    seed: bytes
    options: Mapping[str, int] = field(default_factory=dict)
    time: TimeControl = STANDARD

"""A match: who sat where, the result, and once its set is over every step on a drawn board."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from arena.errors import ArenaError
from arena.games.kernel import Played
from arena.match.record import Record, from_json
from arena.services import matches
from arena.services.pages import MatchPage
from arena.store.compression import unpack
from arena.web.catalogue import TITLES
from arena.web.environment import render
from arena.web.parameters import MatchNumber, PointNumber, SetNumber, TheStore, TournamentId
from arena.web.remembering import OfStore
from arena.web.replay import Point, Replay, replay

router = APIRouter(include_in_schema=False, dependencies=[OfStore])

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the match in the list of steps: what chance began it with, and its points."""

    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Opened:
    """A record as far as it could be opened, and what kept it from being drawn."""

    text: str | None = None
    record: Record | None = None
    replay: Replay | None = None
    trouble: str | None = None


@router.get(_ADDRESS)
def show(
    request: Request,
    store: TheStore,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
    *,
    point: PointNumber = None,
) -> Response:
    """Show a match: without a record only what is public."""
    match = matches.page(store, tournament_id, set_number, match_number)
    context: dict[str, Any] = {"match": match, "title": TITLES[match.game], "address": _address(match)}
    opened = _Opened() if match.packed_record is None else _open(match.packed_record)
    context |= {"replay": opened.replay, "trouble": opened.trouble, "text": opened.text}
    context |= {"fault": None, "thinking": None}
    if opened.record is not None:
        context |= {"fault": opened.record.result.fault, "thinking": _thinking(opened.record)}
    if opened.replay is not None:
        context |= _board(match, opened.replay, point) | {"parts_of_match": _parts(opened.replay)}
    return render(request, "match.html", **context)


@router.get(f"{_ADDRESS}/board")
def show_board(
    request: Request,
    store: TheStore,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
    *,
    point: PointNumber = None,
) -> Response:
    """Show the board alone, for a page that steps without leaving."""
    match = matches.page(store, tournament_id, set_number, match_number)
    played = None if match.packed_record is None else _open(match.packed_record).replay
    if not match.record_kept:
        raise HTTPException(410, "There is no board to show: the record of this match is not kept any more.")
    if played is None:
        raise HTTPException(
            404, "There is no board to show: the record of this match is not open, or cannot be drawn."
        )
    return render(request, "board.html", address=_address(match), **_board(match, played, point))


def _address(match: MatchPage) -> str:
    return f"/tournaments/{match.tournament_id}/sets/{match.set}/matches/{match.match}"


@lru_cache(maxsize=32)
def _open(packed: bytes) -> _Opened:
    """Unpack, read and replay a record once, though it is looked at point by point; say why if it cannot be drawn."""
    text = record = None
    try:
        text = unpack(packed)
        record = from_json(text)
        return _Opened(text, record, replay(record))
    except ArenaError as error:
        return _Opened(text, record, trouble=str(error))


def _board(match: MatchPage, played: Replay, number: int | None) -> dict[str, Any]:
    final = len(played.points) - 1
    number = final if number is None else number
    if number > final:
        raise HTTPException(404, f"point {number}: this match has the points 0 to {final}")
    point = played.points[number]
    return {
        "replay": played,
        "point": point,
        "views": played.views(number),
        "acting": played.acting(number),
        "last": {line.seat: line.text for line in point.lines if line.seat is not None},
        "seats": match.seats,
    }


def _thinking(record: Record) -> dict[int, float]:
    """Add up each seat's time, in milliseconds."""
    total: dict[int, float] = defaultdict(float)
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            total[recorded.step.seat] += recorded.ms or 0.0
    return {seat: total[seat] for seat in range(len(record.seats))}


def _parts(played: Replay) -> tuple[_Part, ...]:
    """Cut the list of steps where chance acts: a hand, a round."""
    parts: list[tuple[str, list[Point]]] = []
    counted: dict[str, int] = defaultdict(int)
    for point in played.points:
        if point.number:
            parts[-1][1].append(point)
        if point.begins or not parts:
            name = point.begins or "start"
            counted[name] += 1
            parts.append((f"{name.capitalize()} {counted[name]}", [] if point.number else [point]))
    return tuple(_Part(title, tuple(points)) for title, points in parts if points)

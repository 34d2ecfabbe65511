"""A match: who sat where, the result, and once its set is over every step on a drawn board."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from markupsafe import Markup

from arena.errors import ArenaError
from arena.games.kernel import Played
from arena.match.clock import parse_time_control
from arena.match.record import Record, from_json
from arena.services import matches
from arena.services.pages import MatchPage
from arena.store.compression import unpack
from arena.web.boards import (
    Clock,
    Scene,
    draw,
    is_open_game,
    open_scene,
    pieces,
    public_scene,
    seat_scene_of,
)
from arena.web.boards.parts import Section, sections
from arena.web.catalogue import TITLES
from arena.web.environment import fragment, render
from arena.web.languages import choose
from arena.web.parameters import EyeName, MatchNumber, PointNumber, SetNumber, TheStore, TournamentId
from arena.web.remembering import OfStore
from arena.web.replay import Replay, replay

router = APIRouter(include_in_schema=False, dependencies=[OfStore])

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"
_ALL = "all"
_PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class _Opened:
    """A record as far as it could be opened, and what kept it from being drawn."""

    text: str | None = None
    record: Record | None = None
    replay: Replay | None = None
    sections: tuple[Section, ...] = ()
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
    view: EyeName = _ALL,
) -> Response:
    """Show a match: without a record only what is public."""
    match = matches.page(store, tournament_id, set_number, match_number)
    context: dict[str, Any] = {"match": match, "title": TITLES[match.game], "address": _address(match)}
    opened = _Opened() if match.packed_record is None else _open(match.packed_record)
    context |= {"replay": opened.replay, "trouble": opened.trouble, "text": opened.text}
    context |= {"fault": None, "thinking": None}
    if opened.record is not None:
        context |= {"fault": opened.record.result.fault, "thinking": _thinking(opened.record)}
    context["live"] = match.state == "open" and match.live
    if context["live"]:
        context["pieces"] = pieces(match.game)
    if opened.replay is not None:
        context |= _board(request, match, opened.replay, opened.sections, number=point, view=view)
        context |= {"sections": opened.sections, "pieces": pieces(match.game), "eyes": _eyes(match)}
        assert match.packed_record is not None  # noqa: S101 - it was opened
        steps = _list_steps(match.packed_record, _address(match), view, choose(request))
        here = f'data-point="{context["number"]}" data-step'
        context["steps"] = Markup(steps.replace(here, f'{here} aria-current="true"'))  # noqa: S704 - our own
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
    view: EyeName = _ALL,
) -> Response:
    """Show the board alone, for a page that steps without leaving."""
    match = matches.page(store, tournament_id, set_number, match_number)
    opened = _Opened() if match.packed_record is None else _open(match.packed_record)
    if not match.record_kept:
        raise HTTPException(410, "There is no board to show: the record of this match is not kept any more.")
    if opened.replay is None:
        raise HTTPException(
            404, "There is no board to show: the record of this match is not open, or cannot be drawn."
        )
    return render(
        request,
        "board.html",
        **_board(request, match, opened.replay, opened.sections, number=point, view=view),
    )


def _address(match: MatchPage) -> str:
    return f"/tournaments/{match.tournament_id}/sets/{match.set}/matches/{match.match}"


@lru_cache(maxsize=32)
def _open(packed: bytes) -> _Opened:
    """Unpack, read and replay a record once, though it is looked at point by point; say why if it cannot be drawn."""
    text = record = None
    try:
        text = unpack(packed)
        record = from_json(text)
        played = replay(record)
    except ArenaError as error:
        return _Opened(text, record, trouble=str(error))
    return _Opened(text, record, played, sections(record.game, [point.state for point in played.points]))


@lru_cache(maxsize=32)
def _list_steps(packed: bytes, address: str, view: str, language: str) -> str:
    """Write the list of a match's steps once, as one onlooker learnt them."""
    opened = _open(packed)
    listed = fragment(
        "steps.html",
        language,
        replay=opened.replay,
        sections=opened.sections,
        address=address,
        kept="" if view == _ALL else f"&view={view}",
        eye=_seat(view),
        all_open=view == _ALL,
    )
    return str(listed)


def _eyes(match: MatchPage) -> tuple[str, ...]:
    """List whose eyes one may look through: where all see the same, there is one view only."""
    if is_open_game(match.game):
        return (_ALL,)
    return (_ALL, *[str(seat.seat) for seat in match.seats], _PUBLIC)


def _seat(view: str) -> int | None:
    return int(view) if view.isdecimal() else None


def _board(
    request: Request,
    match: MatchPage,
    played: Replay,
    parts: tuple[Section, ...],
    *,
    number: int | None,
    view: str,
) -> dict[str, Any]:
    number = played.final if number is None else number
    if number > played.final:
        raise HTTPException(404, f"point {number}: this match has the points 0 to {played.final}")
    if view not in _eyes(match):
        raise HTTPException(404, f"view {view}: this match has the views {', '.join(_eyes(match))}")
    starts = sorted({part.start for section in parts for part in section.parts} | {played.final})
    before = [start for start in starts if start < number]
    after = [start for start in starts if start > number]
    return {
        "board": draw(_scene(match, played, number, view), choose(request)),
        "address": _address(match),
        "number": number,
        "final": played.final,
        "view": view,
        "names": [seat.bot for seat in match.seats],
        "part_back": before[-1] if before else number,
        "part_forward": after[0] if after else number,
        "here": _here(parts, number),
        "lines": played.lines(number, _seat(view), all_open=view == _ALL),
    }


def _here(found: tuple[Section, ...], number: int) -> tuple[Any, ...]:
    """Name the part that is played at a point: its titles, the large one first."""
    titles: tuple[Any, ...] = ()
    for section in found:
        for part in section.parts:
            if part.start <= number:
                titles = tuple(title for title in (section.title, part.title) if title is not None)
    return titles


def _scene(match: MatchPage, played: Replay, number: int, view: str) -> Scene:
    point = played.points[number]
    names = [seat.bot for seat in match.seats]
    left = played.left_ms(number, parse_time_control(match.time))
    shown: dict[str, Any] = {
        "after": point.steps,
        "said": played.talk(number),
        "clocks": [Clock(ms) for ms in left],
    }
    if view == _ALL:
        return open_scene(match.game, point.state, names, chosen=played.chosen(number), **shown)
    if view == _PUBLIC:
        return public_scene(match.game, point.state, names, **shown)
    seat = int(view)
    chosen = played.chosen(number).get(seat)
    return seat_scene_of(match.game, point.state, seat, names, chosen=chosen, **shown)


def _thinking(record: Record) -> dict[int, float]:
    """Add up each seat's time, in milliseconds."""
    total: dict[int, float] = defaultdict(float)
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            total[recorded.step.seat] += recorded.ms or 0.0
    return {seat: total[seat] for seat in range(len(record.seats))}

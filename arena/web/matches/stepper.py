"""A match that is over, to be stepped through: what the stepper shows of each of its points, through whose eyes.

record ──course──▶ Course ──page──▶ stepper.html        the board, its controls, all steps
└──position──▶ board.html        one point of it, for a page that steps without leaving
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException
from markupsafe import Markup

from arena.bot_registry.bot_names import names
from arena.core.translatable import say
from arena.match import drama
from arena.match.score_series import score_series
from arena.web.boards import (
    Clock,
    Scene,
    draw,
    draw_bar,
    is_open_game,
    open_scene,
    pieces,
    public_scene,
    seat_scene_of,
    sign_key,
)
from arena.web.boards.match_sections import Section, sections
from arena.web.matches.match_chart import MatchChart, draw_scores
from arena.web.matches.replay_points import Replay, replay
from arena.web.matches.result_card import ResultCard, result_card
from arena.web.ui.templating import fragment

if TYPE_CHECKING:
    from arena.games.narrating import ScoreSheet
    from arena.match.clock import TimeControl
    from arena.match.record import Record

ALL = "all"
"""The view of all cards."""
_PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a reader can be: at a point, or at the score sheet of what ended there."""

    point: int
    sheet: bool = False

    @property
    def query(self) -> str:
        """Return what names it in the address of the page."""
        return f"point={self.point}&sheet=1" if self.sheet else f"point={self.point}"

    @property
    def mark(self) -> str:
        """Return what names it in attributes, for the script: `12`, or `12s` for a sheet."""
        return f"{self.point}s" if self.sheet else f"{self.point}"


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A match that was played again: everything that its points are drawn from.  `address` is that of its page."""

    game: str
    names: tuple[str, ...]
    time: TimeControl
    address: str
    replay: Replay
    match: str
    """The id of the record."""
    sections: tuple[Section, ...]
    told: tuple[tuple[str, ...], ...]
    """The public account of each point."""
    sheets: tuple[ScoreSheet | None, ...]
    """The score sheet of what ended at each point."""
    stops: tuple[tuple[Stop, ...], ...]
    """The stops of each point, in the order in which they are read."""
    chart: MatchChart | None
    """The scores by point, None for a game without any."""
    result: ResultCard

    @property
    def route(self) -> tuple[Stop, ...]:
        """List all stops in order."""
        return tuple([stop for each in self.stops for stop in each])

    def closes(self, stop: Stop) -> bool:
        """Return whether it is the second stop of its point, which does not show the step again."""
        return stop != self.stops[stop.point][0]

    @property
    def eyes(self) -> tuple[str, ...]:
        """List whose eyes one may look through: where all see the same, there is one view only."""
        if is_open_game(self.game):
            return (ALL,)
        return (ALL, *map(str, range(len(self.names))), _PUBLIC)


def course(record: Record, time: TimeControl, address: str, you: int | None = None) -> Course:
    """Play a record again, for the person in seat `you`, if there is one.  Raises ArenaError where that cannot be done."""
    played = replay(record, time, you)
    told = played.told(names(record.seats), you)
    states = [point.state for point in played.points]
    parts = sections(record.game, states)
    sheets = tuple([sheet for _, sheet in told])
    series = score_series(record.game, states, len(record.seats))
    return Course(
        game=record.game,
        names=names(record.seats),
        time=time,
        address=address,
        replay=played,
        match=record.match,
        told=tuple([sentences for sentences, _ in told]),
        sections=parts,
        sheets=sheets,
        stops=_stops(parts, sheets),
        chart=draw_scores(series, parts, drama.measure(series).lead_changes),
        result=result_card(record, series),
    )


def _stops(parts: tuple[Section, ...], sheets: tuple[ScoreSheet | None, ...]) -> tuple[tuple[Stop, ...], ...]:
    """Put each sheet where it is read: before the deal of the next hand, after the last position of the match."""
    begins = {section.parts[0].start for section in parts}
    found: list[tuple[Stop, ...]] = []
    for number, sheet in enumerate(sheets):
        stop = Stop(number)
        if sheet is None:
            found.append((stop,))
        else:
            found.append(
                (Stop(number, sheet=True), stop) if number in begins else (stop, Stop(number, sheet=True))
            )
    return tuple(found)


def _listed(stops: tuple[tuple[Stop, ...], ...]) -> tuple[tuple[Stop, ...], ...]:
    """List the stops under the points that they are listed with: the deal of a next hand belongs to that hand."""
    deals = [each[1:] if len(each) > 1 and each[0].sheet else () for each in stops]
    return tuple(
        [
            (*before, *(each[:1] if deal else each))
            for before, each, deal in zip(((), *deals), stops, deals, strict=False)
        ]
    )


def page(
    played: Course, language: str, *, number: int | None, view: str, sheet: bool = False
) -> dict[str, Any]:
    """Return what `stepper.html` shows at a point, the last if none is named.  Raises HTTPException."""
    context = position(played, language, number=number, view=view, sheet=sheet)
    here = f'data-point="{context["stop"].mark}" data-step'
    listed, jumps = _list(played, view, language)
    steps = listed.replace(here, f'{here} aria-current="true"')
    return context | {
        "jumps": jumps,
        "chart": played.chart,
        "pieces": pieces(played.game),
        "sign_key": sign_key(played.game, language),
        "eyes": played.eyes,
        "steps": Markup(steps),  # noqa: S704 - our own
    }


def position(
    played: Course, language: str, *, number: int | None, view: str, sheet: bool = False
) -> dict[str, Any]:
    """Return what `board.html` shows of a point, the last if none is named.  Raises HTTPException.

    With `sheet` it is the score sheet of what ended there instead of the board.
    """
    final = played.replay.final
    number = final if number is None else number
    if number > final:
        raise HTTPException(
            404, say("point {number}: this match has the points 0 to {final}", number=number, final=final)
        )
    if view not in played.eyes:
        raise HTTPException(
            404,
            say("view {view}: this match has the views {views}", view=view, views=", ".join(played.eyes)),
        )
    if sheet and played.sheets[number] is None:
        scored = ", ".join(str(at) for at, found in enumerate(played.sheets) if found is not None)
        raise HTTPException(
            404,
            say(
                "sheet of point {number}: nothing is scored there; points with a score sheet: {scored}",
                number=number,
                scored=scored or "–",
            ),
        )
    stop = Stop(number, sheet=sheet)
    route = played.route
    at = route.index(stop)
    lines = played.replay.lines(number, _seat(view), all_open=view == ALL)
    told = played.told[number]
    if played.closes(stop):
        lines, told = tuple([line for line in lines if line.by == "chance" and not sheet]), ()
    scene = _scene(played, number, view)
    starts = sorted({part.start for section in played.sections for part in section.parts} | {final})
    before = [start for start in starts if start < number]
    unread = sheet and not played.closes(stop)
    after = [start for start in starts if start > number or (unread and start == number)]
    return {
        "bar": draw_bar(scene, language),
        "board": None if sheet else draw(scene, language, below_bar=True),
        "sheet": played.sheets[number] if sheet else None,
        "stop": stop,
        "back": route[max(at - 1, 0)],
        "forward": route[min(at + 1, len(route) - 1)],
        "address": played.address,
        "number": number,
        "final": final,
        "view": view,
        "names": played.names,
        "part_back": before[-1] if before else number,
        "part_forward": after[0] if after else number,
        "here": _here(played.sections, number - 1 if unread else number),
        "told": told,
        "lines": lines,
        "result": played.result if number == final else None,
        "decisive": played.told[played.result.decided_at or 0],
        "decisive_lines": played.replay.lines(played.result.decided_at or 0),
        "ways": (),
        "you": played.replay.you,
    }


@lru_cache(maxsize=24)
def _list(played: Course, view: str, language: str) -> tuple[str, Markup]:
    """Write the list of a match's steps, as one onlooker learnt them, and that of its parts: once for all points."""
    steps = fragment(
        "steps.html",
        language,
        replay=played.replay,
        told=played.told,
        stops=played.stops,
        listed=_listed(played.stops),
        sheets=played.sheets,
        sections=played.sections,
        kept="" if view == ALL else f"&view={view}",
        eye=_seat(view),
        all_open=view == ALL,
    )
    return str(steps), fragment("jumps.html", language, sections=played.sections)


def _seat(view: str) -> int | None:
    return int(view) if view.isdecimal() else None


def _here(found: tuple[Section, ...], number: int) -> tuple[Any, ...]:
    """Name the part that is played at a point: its titles, the large one first."""
    titles: tuple[Any, ...] = ()
    for section in found:
        for part in section.parts:
            if part.start <= number:
                titles = tuple(title for title in (section.title, part.title) if title is not None)
    return titles


def _scene(played: Course, number: int, view: str) -> Scene:
    point = played.replay.points[number]
    shown: dict[str, Any] = {
        "after": point.steps,
        "said": played.replay.talk(number),
        "clocks": [Clock(ms) for ms in point.clocks_ms],
    }
    chosen = played.replay.chosen(number)
    if view == ALL:
        return open_scene(played.game, point.state, played.names, chosen=chosen, **shown)
    if view == _PUBLIC:
        return public_scene(played.game, point.state, played.names, **shown)
    seat = int(view)
    return seat_scene_of(played.game, point.state, seat, played.names, chosen=chosen.get(seat), **shown)

"""Bots' notes on a match as its page shows them: by the points of the replay, and the numbers as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from arena.games.kernel import Played
from arena.match import seat_notes
from arena.web.boards import action_words
from arena.web.matches.match_chart import HEIGHT, place

if TYPE_CHECKING:
    from arena.reports.match_details import NotesOfSeat, StepNotes
    from arena.web.matches.stepper import Course

_MOST_PLOTS = 8


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """An action that a bot considered, in words; `share` is how far its value is from the lowest to the highest, 0 to 1."""

    action: str
    words: str
    value: float
    share: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A bot's note on the action of a point; candidates are sorted by value, the highest first."""

    point: int
    seat: int
    candidates: tuple[ShownCandidate, ...]
    numbers: tuple[tuple[str, float], ...]
    text: str


@dataclass(frozen=True, slots=True)
class NumberPlot:
    """A number over the match: the line of each seat whose bot noted it."""

    name: str
    low: float
    high: float
    paths: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class DroppedNotes:
    """The number of notes of a seat that broke a limit, and the limit that the first of them broke."""

    seat: int
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """All that a reader may read of what bots noted in a match."""

    seen: Literal["public", "own", "both", "file"]
    """The readers of the notes: all, only the owner of the bots, a mixture of both, or the owner of the file."""
    notes: tuple[ShownNote, ...]
    plots: tuple[NumberPlot, ...]
    dropped: tuple[DroppedNotes, ...]


def show(course: Course, found: Sequence[NotesOfSeat]) -> MatchNotes | None:
    """Return what the page shows of the notes of some seats; None without any."""
    if not found:
        return None
    last = course.replay.points[-1]
    points = {
        noted.step: course.replay.point_of(noted.step)
        for each in found
        for noted in each.steps
        if noted.step < last.first + len(last.steps)
    }
    notes = [
        _shown(course, points[noted.step], each.seat, noted)
        for each in found
        for noted in each.steps
        if noted.step in points
    ]
    return MatchNotes(
        seen="both" if len({each.public for each in found}) > 1 else "public" if found[0].public else "own",
        notes=tuple(sorted(notes, key=lambda note: (note.point, note.seat))),
        plots=_plots(course, points, found),
        dropped=tuple(
            DroppedNotes(each.seat, each.dropped, seat_notes.in_words(each.reason))
            for each in found
            if each.dropped
        ),
    )


def _shown(course: Course, point: int, seat: int, noted: StepNotes) -> ShownNote:
    chosen = next(
        step.action
        for step in course.replay.points[point].steps
        if isinstance(step, Played) and step.seat == seat
    )
    rated = sorted(noted.candidates, key=lambda each: -each.value)
    low, high = (rated[-1].value, rated[0].value) if rated else (0.0, 0.0)
    return ShownNote(
        point=point,
        seat=seat,
        candidates=tuple(
            ShownCandidate(
                action=each.action,
                words=action_words.action_with_cards(course.game, each.action),
                value=_round(each.value),
                share=round((each.value - low) / (high - low), 3) if high > low else 1.0,
                chosen=each.action == chosen,
            )
            for each in rated
        ),
        numbers=tuple((name, _round(value)) for name, value in noted.numbers.items()),
        text=noted.text,
    )


def _plots(course: Course, points: dict[int, int], found: Sequence[NotesOfSeat]) -> tuple[NumberPlot, ...]:
    """Draw the numbers that were noted most often; one that was noted once is no line."""
    counts = Counter(name for each in found for noted in each.steps for name in noted.numbers)
    plots = []
    for name, _ in counts.most_common(_MOST_PLOTS):
        series = {
            each.seat: [
                (points[noted.step], noted.numbers[name])
                for noted in each.steps
                if name in noted.numbers and noted.step in points
            ]
            for each in found
        }
        drawn = {seat: line for seat, line in series.items() if len(line) > 1}
        if drawn:
            plots.append(_plot(name, drawn, course.replay.final))
    return tuple(plots)


def _plot(name: str, series: dict[int, list[tuple[int, float]]], final: int) -> NumberPlot:
    values = [value for line in series.values() for _, value in line]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return NumberPlot(
        name,
        _round(low),
        _round(high),
        tuple(
            (
                seat,
                "M"
                + "L".join(
                    f"{place(point, final):g} {round(HEIGHT - HEIGHT * (value - low) / span, 1):g}"
                    for point, value in line
                ),
            )
            for seat, line in series.items()
        ),
    )


def _round(value: float) -> float:
    """Round a number to four digits that count."""
    return float(f"{value:.4g}")

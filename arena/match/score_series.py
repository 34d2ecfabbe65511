"""Score of each seat at every point of a match, as all players could have counted it.

    record ──shown_states──▶ state, state, …  ──score_series──▶ (0, 0), (0, 3), …

The scores come from masked views, so they reveal nothing hidden.  Points are those of the stepper: a silent round of
talk is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from arena.games import registry
from arena.match.record import Record
from arena.match.replay import replay

ScoreSeries: TypeAlias = Sequence[tuple[int, ...]]
"""By point, then by seat."""


def shown_states(record: Record) -> Iterator[Any]:
    """Yield the state at each point of a record, from the deal to the end.  Raises ArenaError where it cannot be replayed."""
    for number, point in enumerate(replay(record)):
        if point.steps or not number:
            yield point.state


def score_series(game: str, states: Iterable[Any], seats: int) -> ScoreSeries:
    """Return what each seat would have at each point if the match ended there; nothing for a game without scores."""
    package = registry.package(game)
    drawing = package.drawing
    if drawing is None:
        return ()
    count = drawing.standing or drawing.scores
    series = []
    for state in states:
        result = package.game.result(state)
        shown = drawing.mask([package.game.view(state, seat) for seat in range(seats)]).view
        scores = tuple(count(shown))[:seats] if result is None else result.scores
        if not scores:
            return ()
        series.append(scores)
    return tuple(series)


def of_record(record: Record) -> ScoreSeries:
    """Return the score series of a record.  Raises ArenaError where it cannot be replayed."""
    return score_series(record.game, shown_states(record), len(record.seats))

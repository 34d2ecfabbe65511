"""The score of Lifeboats (docs/rules.md, *Score*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.kernel import Json, Result
from arena.games.lifeboats.notation import WORDS
from arena.games.lifeboats.state import LifeboatsState, Numbers, officers, sailors

SAILOR_POINTS: Final = (6, 4, 5)
"""By island: left, middle, right."""

OFFICER_POINTS: Final = (8, 6, 7)


def score(safe: Numbers) -> int:
    """Add up the pawns that one seat has on each island."""
    return sum(
        [
            sailors(pawns) * for_sailor + officers(pawns) * for_officer
            for pawns, for_sailor, for_officer in zip(safe, SAILOR_POINTS, OFFICER_POINTS, strict=True)
        ]
    )


def rank(scores: Sequence[int], berths: Numbers) -> tuple[int, ...]:
    """Rank scores, higher first; equal ones by the berth of the seat's own boat, those without one last, together."""
    unlanded = len(scores) + 1
    berth = [berths.index(seat) if seat in berths else unlanded for seat in range(len(scores))]
    keys = [(points, -own) for points, own in zip(scores, berth, strict=True)]
    return tuple([1 + sum([other > key for other in keys]) for key in keys])


def result(state: LifeboatsState) -> Result:
    """Return the result of a match that is over."""
    scores = tuple(map(score, state.ashore))
    letters = WORDS[state.match.seats].letters
    saved: list[Json] = [[[sailors(pawns), officers(pawns)] for pawns in safe] for safe in state.ashore]
    detail: dict[str, Json] = {"berths": [letters[boat] for boat in state.berths], "saved": saved}
    return Result(scores, rank(scores, state.berths), "completed", detail)

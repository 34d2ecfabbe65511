"""The chances of the seats at the points of a match, as they are stored: in thousandths."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import select

from arena.match.chances import Estimate
from arena.storage import Store
from arena.storage.schema import MatchChances

_WHOLE = 1000


def load(store: Store, tournament_id: int, set_number: int, match_number: int) -> tuple[Estimate, ...] | None:
    """Return the chances of a match, None while they are not computed."""
    with store.read() as session:
        data = session.scalar(
            select(MatchChances.data).where(
                MatchChances.tournament_id == tournament_id,
                MatchChances.set_number == set_number,
                MatchChances.match_number == match_number,
            )
        )
    if data is None:
        return None
    return tuple(Estimate(point, _read(shares), _read(errors)) for point, shares, errors in json.loads(data))


def save(
    store: Store, tournament_id: int, set_number: int, match_number: int, estimates: Sequence[Estimate]
) -> None:
    """Store the chances of a match; a second time changes nothing, since they are the same."""
    data = [[each.point, _write(each.shares), _write(each.errors)] for each in estimates]
    with store.write() as session:
        session.merge(
            MatchChances(
                tournament_id=tournament_id,
                set_number=set_number,
                match_number=match_number,
                data=json.dumps(data, separators=(",", ":")),
            )
        )


def _write(numbers: Sequence[float]) -> list[int]:
    return [round(_WHOLE * number) for number in numbers]


def _read(numbers: Sequence[int]) -> tuple[float, ...]:
    return tuple(number / _WHOLE for number in numbers)

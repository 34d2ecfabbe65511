"""The chances of the actions that a seat could have chosen, as they are stored: in thousandths."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from arena.match.choice_chances import ChoiceEstimate
from arena.storage import Store
from arena.storage.schema import ChoiceChances
from arena.storage.upserts import insert_missing

_WHOLE = 1000


class ChoiceKey(NamedTuple):
    """Names a choice: the match, the point after which it was made, and the seat."""

    tournament_id: int
    set_number: int
    match_number: int
    point: int
    seat: int


def load(store: Store, key: ChoiceKey) -> tuple[ChoiceEstimate, ...] | None:
    """Return the chances of a choice, None while they are not computed."""
    with store.read() as session:
        row = session.get(ChoiceChances, key)
    if row is None:
        return None
    return tuple(
        ChoiceEstimate(action, share / _WHOLE, error / _WHOLE)
        for action, share, error in json.loads(row.data)
    )


def save(store: Store, key: ChoiceKey, estimates: Sequence[ChoiceEstimate]) -> None:
    """Store the chances of a choice; a second time changes nothing, since they are the same."""
    data = [[each.action, round(_WHOLE * each.share), round(_WHOLE * each.error)] for each in estimates]
    row = {**key._asdict(), "data": json.dumps(data, separators=(",", ":"))}
    with store.write() as session:
        insert_missing(store.dialect, ChoiceChances, ChoiceKey._fields).run(session.connection(), row)

"""Run on the machine of `arena up`: create many copies of the first tournament of a seed at once, or cancel most of them.

    python -m bench.chaos.embedded_supply create SEED COUNT
    python -m bench.chaos.embedded_supply cancel ID…

Both print ids as JSON: those that were created, or those that are over or go on.  ARENA_DATA names the data directory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from sqlalchemy import select

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.core.settings import settings
from arena.storage import Store
from arena.storage.schema import Tournament
from bench.chaos.supply import Supply

_KEPT = 3
"""Running copies that continue to their end."""


def create(store: Store, seed: int, count: int) -> list[int]:
    """Create `count` copies."""
    supply = Supply(store, seed)
    return [supply.create(0) for _ in range(count)]


def cancel_most(store: Store, ids: Sequence[int]) -> list[int]:
    """Cancel those that run, but for some with the most results; return those that are over or go on."""
    query = (
        select(Tournament.id)
        .where(Tournament.id.in_(ids), Tournament.state == "running")
        .order_by(Tournament.matches_done.desc(), Tournament.id)
        .offset(_KEPT)
    )
    with store.read() as session:
        surplus = set(session.scalars(query))
    for number in surplus:
        lifecycle.cancel(store, number, OPERATOR)
    return [number for number in ids if number not in surplus]


def main() -> None:
    """Do as the command line says."""
    store = Store.open(settings().database_url)
    numbers = [int(word) for word in sys.argv[2:]]
    found = create(store, *numbers) if sys.argv[1] == "create" else cancel_most(store, numbers)
    store.close()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()

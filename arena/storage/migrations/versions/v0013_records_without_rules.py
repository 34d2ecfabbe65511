"""Records that are read without the rules of their game: all rows of forms 0 and 1 are written anew, as they are packed today.

A row of form 1 has to be played again for that, so it needs the rules that it was stored under.  If this version of Bot Arena
has others, nothing is changed.  A row that cannot be read is left as it is: it was lost before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import sqlalchemy as sa
from alembic import context, op

from arena.games.registry import GAMES
from arena.storage.migrations import compact_record
from arena.storage.migrations.compact_record import RowUnreadable, RulesOfRow
from arena.storage.record_compression import pack
from arena.storage.store_errors import MigrationFailed

revision = "0013"
down_revision = "0012"
kind = "stop"

THROUGH = "0.2"
"""The Bot Arena that has this migration, and all rules as Bot Arena 0.1 had them."""

_ROWS_AT_ONCE = 500
_log = logging.getLogger("arena.storage.migrations")

_record = sa.table("record", sa.column("result_id", sa.Integer), sa.column("data", sa.LargeBinary))
_match_result = sa.table(
    "match_result",
    *[sa.column(name, sa.Integer) for name in ("id", "tournament_id", "set_number", "match_number")],
)


def upgrade() -> None:
    total = op.get_bind().execute(sa.select(sa.func.count()).select_from(_record)).scalar_one()
    _check_rules()
    progress: Callable[[int, int], None] = context.config.attributes.get(
        "progress", lambda _done, _total: None
    )
    written = (
        sa.update(_record)
        .where(_record.c.result_id == sa.bindparam("row"))
        .values(data=sa.bindparam("packed"))
    )
    done = 0
    for rows in _batches():
        packed = []
        for result_id, data in rows:
            try:
                packed.append({"row": result_id, "packed": pack(compact_record.read(data))})
            except RowUnreadable as error:
                _log.warning("%s cannot be read: %s; it is left as it is", _name(result_id), error)
        if packed:
            op.get_bind().execute(written, packed)
        done += len(rows)
        progress(done, total)


def _check_rules() -> None:
    """Check that this version has the rules that all rows need.  Raises MigrationFailed."""
    for rows in _batches():
        for _, data in rows:
            try:
                rules = compact_record.rules_of(data)
            except RowUnreadable:
                continue
            game = None if rules is None else GAMES.get(rules.game)
            if rules is not None and (game is None or game.rules_version != rules.version):
                raise _other_rules(rules, None if game is None else game.rules_version)


def _other_rules(needed: RulesOfRow, present: int | None) -> MigrationFailed:
    has = f"no {needed.game}" if present is None else f"version {present} of them"
    return MigrationFailed(
        f"records of {needed.game} were stored under version {needed.version} of its rules, and this Bot Arena has {has}; "
        f"nothing was changed, upgrade to Bot Arena {THROUGH} first and then to this one"
    )


def _batches() -> Iterator[list[tuple[int, bytes]]]:
    """Return all rows by their key, a few at a time."""
    last = -1
    query = (
        sa.select(_record.c.result_id, _record.c.data)
        .where(_record.c.result_id > sa.bindparam("last"))
        .order_by(_record.c.result_id)
        .limit(_ROWS_AT_ONCE)
    )
    while rows := [
        (row.result_id, bytes(row.data)) for row in op.get_bind().execute(query, {"last": last}).all()
    ]:
        yield rows
        last = rows[-1][0]


def _name(result_id: int) -> str:
    """Return how to call a record in a message."""
    found = (
        op.get_bind().execute(sa.select(_match_result).where(_match_result.c.id == result_id)).one_or_none()
    )
    if found is None:
        return f"record {result_id}"
    return f"record of tournament {found.tournament_id}, set {found.set_number}, match {found.match_number}"

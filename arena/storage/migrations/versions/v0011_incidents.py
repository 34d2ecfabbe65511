"""What the faults of several matches have in common, and when a version was suspended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
kind = "stop"


def upgrade() -> None:
    op.add_column("match_result", sa.Column("incident", sa.String(32), nullable=True))
    op.add_column("version", sa.Column("suspended_uptime_s", sa.Double(), nullable=True))
    op.create_index(
        "ix_match_result_incident",
        "match_result",
        ["incident"],
        sqlite_where=sa.text("incident IS NOT NULL"),
        postgresql_where=sa.text("incident IS NOT NULL"),
    )

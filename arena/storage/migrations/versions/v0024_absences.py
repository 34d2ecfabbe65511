"""Who was away from a match, how many matches a version was away from, which results are not counted, and fixed entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
kind = "expand"


def upgrade() -> None:
    op.add_column("match_result", sa.Column("absent", sa.String(length=32), nullable=True))
    op.add_column(
        "match_result", sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("entry", sa.Column("pinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column(
        "version_total", sa.Column("absences", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )

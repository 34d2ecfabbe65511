"""The variants and seat counts that versions declare, suspensions in single variants, and trials of one qualification."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
kind = "expand"


def upgrade() -> None:
    op.add_column("version", sa.Column("plays", sa.Text(), nullable=True))
    op.add_column("version", sa.Column("suspensions", sa.Text(), nullable=True))
    op.add_column("trial", sa.Column("batch", sa.Integer(), nullable=True))
    op.add_column("trial", sa.Column("passed", sa.Boolean(), nullable=True))

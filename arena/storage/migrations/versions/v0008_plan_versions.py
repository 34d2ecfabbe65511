"""The version of the rules that a tournament is planned by, and which entries have the same owner."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
kind = "stop"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("plan_version", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("entry", sa.Column("owner_group", sa.Integer(), nullable=True))

"""When a bot that runs elsewhere was last there, and how long workers have played a trial."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
kind = "stop"


def upgrade() -> None:
    op.add_column("bot", sa.Column("seen_at", sa.Double(), nullable=True))
    op.add_column("trial", sa.Column("served_s", sa.Double(), nullable=False, server_default="0"))

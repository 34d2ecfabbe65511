"""How long an organiser holds back what was hidden."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
kind = "stop"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("delay_s", sa.Integer(), nullable=False, server_default="0"))

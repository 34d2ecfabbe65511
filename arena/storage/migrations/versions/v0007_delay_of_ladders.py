"""How long what was hidden in a ladder is held back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
kind = "stop"


def upgrade() -> None:
    op.add_column("ladder", sa.Column("delay_s", sa.Integer(), nullable=False, server_default="0"))

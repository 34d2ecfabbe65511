"""What a tournament is about, in its organiser's words."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
kind = "expand"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("description", sa.Text(), nullable=False, server_default=""))

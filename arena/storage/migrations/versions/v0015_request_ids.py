"""Which request a tournament or a version comes from, for logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
kind = "expand"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("request_id", sa.String(32), nullable=True))
    op.add_column("version", sa.Column("request_id", sa.String(32), nullable=True))

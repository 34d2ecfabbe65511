"""When each rating of the history was computed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
kind = "stop"


def upgrade() -> None:
    op.add_column("rating_point", sa.Column("computed_at", sa.Double(), nullable=True))

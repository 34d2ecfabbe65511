"""How versions play, measured from their newest open matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "playing_style",
        sa.Column("subject", sa.String(length=160), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.Column("measured_at", sa.Double(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_playing_style")),
    )

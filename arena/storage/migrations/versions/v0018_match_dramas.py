"""How exciting matches were, by their scores."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "match_drama",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("measure", sa.Integer(), nullable=False),
        sa.Column("measured_at", sa.Double(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_match_drama_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "set_number", "match_number", name=op.f("pk_match_drama")),
    )

"""The chances of the seats at the points of a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "match_chances",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_match_chances_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "set_number", "match_number", name=op.f("pk_match_chances")),
    )

"""The chances of the actions that a seat could have chosen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "choice_chances",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("point", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_choice_chances_tournament_id")
        ),
        sa.PrimaryKeyConstraint(
            "tournament_id", "set_number", "match_number", "point", "seat", name=op.f("pk_choice_chances")
        ),
    )

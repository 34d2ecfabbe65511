"""Puzzles of the days, and answers of readers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "daily_puzzle",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("chosen_at", sa.Double(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("gap", sa.Double(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=True),
        sa.Column("set_number", sa.Integer(), nullable=True),
        sa.Column("match_number", sa.Integer(), nullable=True),
        sa.Column("point", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("bots", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("day", "game"),
    )
    op.create_table(
        "puzzle_answer",
        sa.Column("solver", sa.String(length=80), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("on_its_day", sa.Boolean(), nullable=False),
        sa.Column("solver_rating", sa.Double(), nullable=False),
        sa.Column("puzzle_rating", sa.Double(), nullable=False),
        sa.Column("answered_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("solver", "day", "game"),
    )
    op.create_index("ix_puzzle_answer_puzzle", "puzzle_answer", ["day", "game"])

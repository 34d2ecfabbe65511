"""Uploads: their bundles, the state of a version, the trials that it is put to, and what it printed in its matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
kind = "stop"


def upgrade() -> None:
    op.add_column(
        "version", sa.Column("state", sa.String(length=16), nullable=False, server_default="active")
    )
    op.add_column("version", sa.Column("qualified", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("version", sa.Column("declared", sa.String(length=100), nullable=True))
    op.add_column("version", sa.Column("reason", sa.Text(), nullable=True))
    active = sa.text("state = 'active'")
    op.create_index(
        "uq_version_active", "version", ["bot_id"], unique=True, sqlite_where=active, postgresql_where=active
    )
    op.create_table(
        "bundle",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_bundle")),
    )
    op.create_table(
        "trial",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_trial_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_trial_version_id")),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_trial")),
    )
    op.create_index(op.f("ix_trial_version_id"), "trial", ["version_id"])
    op.create_index(op.f("ix_trial_author"), "trial", ["author", "created_at"])
    op.create_table(
        "match_output",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("stderr", sa.LargeBinary(), nullable=False),
        sa.Column("dropped", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["match_result.id"], name=op.f("fk_match_output_result_id")),
        sa.PrimaryKeyConstraint("result_id", "seat", name=op.f("pk_match_output")),
    )

"""Bots that run elsewhere: their tokens and secrets, and which of them a tournament waits for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
kind = "stop"


def upgrade() -> None:
    op.add_column("version", sa.Column("secret", sa.Text(), nullable=True))
    op.create_table(
        "bot_token",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_bot_token_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_token")),
        sa.UniqueConstraint("bot_id", name=op.f("uq_bot_token_bot_id")),
    )
    op.create_table(
        "absence",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("since_uptime_s", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_absence_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_absence_version_id")),
        sa.PrimaryKeyConstraint("tournament_id", "version_id", name=op.f("pk_absence")),
    )

"""What bots noted beside their answers, and whether everybody may see what a bot notes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "match_notes",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["match_result.id"], name=op.f("fk_match_notes_result_id")),
        sa.PrimaryKeyConstraint("result_id", "seat", name=op.f("pk_match_notes")),
    )
    op.add_column("bot", sa.Column("notes_public", sa.Boolean(), nullable=False, server_default=sa.false()))

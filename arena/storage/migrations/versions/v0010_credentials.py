"""Credentials: tokens that expire and say when they were used, sign-in links, and devices that have signed in before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
kind = "stop"


def upgrade() -> None:
    op.add_column("api_token", sa.Column("expires_at", sa.Double(), nullable=True))
    op.add_column("api_token", sa.Column("used_at", sa.Double(), nullable=True))
    op.add_column("user", sa.Column("device_generation", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "sign_in_link",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_sign_in_link_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_link")),
    )
    op.create_index(op.f("ix_sign_in_link_user_id"), "sign_in_link", ["user_id"], unique=False)

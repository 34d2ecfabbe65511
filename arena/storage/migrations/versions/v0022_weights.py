"""Weights of bots, uploaded beside their bundles: files of up to hundreds of megabytes, kept in parts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "weights",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("written_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_weights_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_weights")),
    )
    op.create_index(
        "uq_weights_complete",
        "weights",
        ["sha256", "user_id"],
        unique=True,
        sqlite_where=sa.text("complete"),
        postgresql_where=sa.text("complete"),
    )
    op.create_index(op.f("ix_weights_user_id"), "weights", ["user_id"])
    op.create_table(
        "weights_part",
        sa.Column("weights_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["weights_id"], ["weights.id"], name=op.f("fk_weights_part_weights_id")),
        sa.PrimaryKeyConstraint("weights_id", "number", name=op.f("pk_weights_part")),
    )
    op.create_table(
        "bundle_weights",
        sa.Column("bundle_sha256", sa.String(length=64), nullable=False),
        sa.Column("weights_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bundle_sha256"],
            ["bundle.sha256"],
            name=op.f("fk_bundle_weights_bundle_sha256"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["weights_id"], ["weights.id"], name=op.f("fk_bundle_weights_weights_id")),
        sa.PrimaryKeyConstraint("bundle_sha256", "weights_id", name=op.f("pk_bundle_weights")),
    )
    op.create_index(op.f("ix_bundle_weights_weights_id"), "bundle_weights", ["weights_id"])

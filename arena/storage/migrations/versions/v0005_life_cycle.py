"""The life cycle of tournaments, ladders, and how sure a rating is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
kind = "stop"


def upgrade() -> None:
    op.create_table(
        "ladder",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("epoch_s", sa.Double(), nullable=False),
        sa.Column("rest_s", sa.Double(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Double(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pool.id"], name=op.f("fk_ladder_pool_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")),
        sa.UniqueConstraint("pool_id", "seats", name=op.f("uq_ladder_pool_id_seats")),
    )
    with op.batch_alter_table("tournament") as tournament:
        tournament.add_column(sa.Column("rules", sa.JSON(), nullable=False, server_default="{}"))
        tournament.add_column(
            sa.Column(
                "ladder_id",
                sa.Integer(),
                sa.ForeignKey("ladder.id", name=op.f("fk_tournament_ladder_id")),
                nullable=True,
            )
        )
        tournament.add_column(sa.Column("revision", sa.Integer(), nullable=False, server_default="0"))
        tournament.add_column(sa.Column("priority", sa.Integer(), nullable=False, server_default="10"))
        tournament.add_column(sa.Column("served", sa.Double(), nullable=False, server_default="0"))
        tournament.add_column(sa.Column("started_at", sa.Double(), nullable=True))
    op.create_index(op.f("ix_tournament_ladder_id"), "tournament", ["ladder_id"])
    op.execute("UPDATE tournament SET started_at = created_at")
    op.create_table(
        "decision",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_decision_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_decision")),
    )
    # A round-robin that was created before had all its cycles planned at once.
    op.execute(
        "INSERT INTO decision (tournament_id, number, data, created_at) "
        """SELECT id, 0, '{"basis"\\:null,"cycles"\\:' || cycles || ',"kind"\\:"cycles"}', created_at FROM tournament"""
    )
    op.execute(
        "INSERT INTO decision (tournament_id, number, data, created_at) SELECT id, 1, "
        """'{"basis"\\:null,"cancelled"\\:false,"kind"\\:"over","why"\\:"all cycles are played"}', finished_at """
        "FROM tournament WHERE state = 'finished'"
    )
    op.execute("UPDATE tournament SET revision = CASE WHEN state = 'finished' THEN 2 ELSE 1 END")
    op.create_table(
        "set_total",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("low", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("low_units", sa.BigInteger(), nullable=False),
        sa.Column("high_units", sa.BigInteger(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["high"], ["version.id"], name=op.f("fk_set_total_high")),
        sa.ForeignKeyConstraint(["low"], ["version.id"], name=op.f("fk_set_total_low")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_set_total_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "set_number", "low", "high", name=op.f("pk_set_total")),
    )
    with op.batch_alter_table("rating") as rating:
        rating.add_column(sa.Column("rank_low", sa.Integer(), nullable=False, server_default="1"))
        rating.add_column(sa.Column("rank_high", sa.Integer(), nullable=False, server_default="1"))
        rating.add_column(sa.Column("error", sa.Double(), nullable=False, server_default="0"))
    # What was computed without error bars is computed anew.
    op.execute("UPDATE pool SET algorithm = NULL")
    op.create_table(
        "rating_point",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("elo", sa.Double(), nullable=False),
        sa.Column("error", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pool.id"], name=op.f("fk_rating_point_pool_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_rating_point_version_id")),
        sa.PrimaryKeyConstraint("pool_id", "version_id", "hour", name=op.f("pk_rating_point")),
    )

"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
kind = "stop"


def upgrade() -> None:
    op.create_table(
        "bot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("game", "name", name=op.f("uq_bot_game_name")),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "pool",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("variant", sa.String(length=64), nullable=False),
        sa.Column("algorithm", sa.String(length=64), nullable=True),
        sa.Column("input_sha256", sa.String(length=64), nullable=True),
        sa.Column("computed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool")),
        sa.UniqueConstraint("game", "variant", name=op.f("uq_pool_game_variant")),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("format", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=64), nullable=False),
        sa.Column("variant", sa.String(length=64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("base_ms", sa.Integer(), nullable=False),
        sa.Column("increment_ms", sa.Integer(), nullable=False),
        sa.Column("cap_ms", sa.Integer(), nullable=False),
        sa.Column("talk_ms", sa.Integer(), nullable=False),
        sa.Column("cycles", sa.Integer(), nullable=False),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("inputs", sa.LargeBinary(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("matches_total", sa.Integer(), nullable=False),
        sa.Column("matches_done", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["pool_id"], ["pool.id"], name=op.f("fk_tournament_pool_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    op.create_index(op.f("ix_tournament_state"), "tournament", ["state"], unique=False)
    op.create_table(
        "version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("program", sa.Text(), nullable=False),
        sa.Column("talks", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_version_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint("bot_id", "version", name=op.f("uq_version_bot_id_version")),
    )
    op.create_table(
        "attempt",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_attempt_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "set_number", "match_number", name=op.f("pk_attempt")),
    )
    op.create_table(
        "block",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_set", sa.Integer(), nullable=False),
        sa.Column("sets", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_block_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_block")),
    )
    op.create_index(op.f("ix_block_done"), "block", ["done"], unique=False)
    op.create_table(
        "entry",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_entry_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_entry_version_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entry")),
        sa.UniqueConstraint("tournament_id", "version_id", name=op.f("uq_entry_tournament_id_version_id")),
    )
    op.create_table(
        "match_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("match", sa.String(length=32), nullable=False),
        sa.Column("end", sa.String(length=16), nullable=False),
        sa.Column("places", sa.String(length=64), nullable=False),
        sa.Column("scores", sa.String(length=128), nullable=True),
        sa.Column("fault_seat", sa.Integer(), nullable=True),
        sa.Column("fault_kind", sa.String(length=16), nullable=True),
        sa.Column("stored_at", sa.Double(), nullable=False),
        sa.CheckConstraint("fault_seat IS NULL OR fault_seat >= 0", name=op.f("ck_match_result_fault_seat")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_match_result_tournament_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_result")),
        sa.UniqueConstraint(
            "tournament_id",
            "set_number",
            "match_number",
            name=op.f("uq_match_result_tournament_id_set_number_match_number"),
        ),
    )
    op.create_index(op.f("ix_match_result_match"), "match_result", ["match"], unique=False)
    op.create_index("ix_match_result_stored_at", "match_result", ["stored_at"], unique=False)
    op.create_table(
        "pair_total",
        sa.Column("scope", sa.String(length=32), nullable=False),
        sa.Column("low", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("low_units", sa.BigInteger(), nullable=False),
        sa.Column("high_units", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["high"], ["version.id"], name=op.f("fk_pair_total_high")),
        sa.ForeignKeyConstraint(["low"], ["version.id"], name=op.f("fk_pair_total_low")),
        sa.PrimaryKeyConstraint("scope", "low", "high", name=op.f("pk_pair_total")),
    )
    op.create_table(
        "rating",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("component", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("elo", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pool.id"], name=op.f("fk_rating_pool_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_rating_version_id")),
        sa.PrimaryKeyConstraint("pool_id", "version_id", name=op.f("pk_rating")),
    )
    op.create_table(
        "version_total",
        sa.Column("scope", sa.String(length=32), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_version_total_version_id")),
        sa.PrimaryKeyConstraint("scope", "version_id", name=op.f("pk_version_total")),
    )
    op.create_table(
        "record",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["match_result.id"], name=op.f("fk_record_result_id")),
        sa.PrimaryKeyConstraint("result_id", name=op.f("pk_record")),
    )

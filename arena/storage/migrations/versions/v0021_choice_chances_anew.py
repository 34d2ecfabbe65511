"""Chances of the choices in Teotlatolli are computed anew: the action had not been taken before they were estimated."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
kind = "expand"


def upgrade() -> None:
    op.execute(
        "DELETE FROM choice_chances WHERE tournament_id IN (SELECT id FROM tournament WHERE game = 'teotlatolli')"
    )

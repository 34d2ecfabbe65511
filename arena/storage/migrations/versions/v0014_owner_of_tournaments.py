"""Who created a tournament: a column, which used to be in the audit log's subject line only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
kind = "stop"

_FROM_AUDIT_LOG = """
UPDATE tournament SET owner = (
    SELECT min(audit.actor) FROM audit
    WHERE audit.action = 'tournament.create' AND audit.subject = 'tournament/' || CAST(tournament.id AS VARCHAR(20))
)
"""


def upgrade() -> None:
    op.add_column("tournament", sa.Column("owner", sa.String(64), nullable=True))
    op.create_index("ix_tournament_owner", "tournament", ["owner"])
    op.execute(_FROM_AUDIT_LOG)

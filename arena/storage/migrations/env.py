"""Alembic's entry: runs the migrations on the connection that `arena.storage.migration` hands over."""

from __future__ import annotations

from alembic import context

from arena.storage.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,  # SQLite too: its transaction was begun by us, not by its driver
    render_as_batch=True,  # for SQLite, whose ALTER TABLE cannot do everything
)
with context.begin_transaction():
    context.run_migrations()

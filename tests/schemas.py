"""Schemas for tests: whether a store has that of the models, and a release with more migrations than this one."""

from __future__ import annotations

import shutil
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from arena.storage import migrations
from arena.storage.migration import SUPPORT_TABLE
from arena.storage.migration_chain import head
from arena.storage.schema import Base

EXPAND = """
from alembic import op
revision = "test2"
down_revision = "{head}"
kind = "expand"
def upgrade():
    op.execute("CREATE TABLE added (id INTEGER)")
    op.execute("ALTER TABLE tournament ADD COLUMN motto VARCHAR(64)")
"""
CONTRACT = """
from alembic import op
revision = "test3"
down_revision = "test2"
kind = "contract"
works_from = "test2"
def upgrade():
    op.execute("CREATE TABLE contracted (id INTEGER)")
"""
STOP = """
from alembic import op
revision = "test2"
down_revision = "{head}"
kind = "stop"
def upgrade():
    op.execute("CREATE TABLE stopped (id INTEGER)")
"""


def differences(connection: Connection) -> list[object]:
    """Return how a store's tables differ from the models, but for the table that is about the schema itself."""
    context = MigrationContext.configure(
        connection, opts={"include_name": lambda name, *_rest: name != SUPPORT_TABLE}
    )
    return list(compare_metadata(context, Base.metadata))


def add_migrations(folder: Path, *scripts: str) -> None:
    """Copy the migrations of this release into a folder, and add some after its last."""
    shutil.copytree(Path(migrations.__file__).parent, folder, dirs_exist_ok=True)
    for number, script in enumerate(scripts):
        (folder / "versions" / f"vtest{number}.py").write_text(script.replace("{head}", head()))

"""What the last release, the commit that `deploy/last-release` names, can do with the store of this tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

from arena.storage import migration_chain
from arena.storage.migration_chain import MigrationKind

ROOT = Path(__file__).parents[2]
RELEASE = (ROOT / "deploy" / "last-release").read_text().split()[0]


def migrations_of_last_release() -> set[str]:
    """Name the revisions that the last release knows."""
    names = subprocess.run(
        ["git", "ls-tree", "--name-only", f"{RELEASE}:arena/storage/migrations/versions"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {name[1:5] for name in names.split() if name.startswith("v")}


def test_programs_of_the_last_release_work_with_the_expanded_store() -> None:
    known = migrations_of_last_release()
    assert migration_chain.works_from(migration_chain.expanded()) in known


def test_contractions_since_the_last_release_come_after_its_expansions() -> None:
    known = migrations_of_last_release()
    added = [step.kind for step in migration_chain.chain() if step.revision not in known]
    assert added == sorted(added, key=lambda kind: kind is MigrationKind.CONTRACT)

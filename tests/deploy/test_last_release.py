"""What the last release, the commit that `deploy/last-release` names, can do with the store and the jobs of this tree."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from arena.messaging import job_calls
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


@pytest.fixture(scope="module")
def calls_of_last_release() -> ModuleType:
    """The module by which the workers of the last release read jobs."""
    show = ["git", "show", f"{RELEASE}:arena/messaging/job_calls.py"]
    source = subprocess.run(show, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    module = ModuleType("job_calls_of_last_release")
    sys.modules[module.__name__] = module  # its dataclasses look there
    exec(source, module.__dict__)  # noqa: S102 - our own code
    return module


@pytest.mark.parametrize("function", job_calls._ARGUMENTS)
def test_workers_of_the_last_release_take_no_job_for_a_foreign_one(
    calls_of_last_release: ModuleType, function: str
) -> None:
    arguments = [kind() for kind in job_calls._ARGUMENTS[function]]
    job = {"data": json.dumps([function, None, arguments, {}]).encode()}
    assert job_calls.read_call(job).function == function
    with contextlib.suppress(calls_of_last_release.JobOfAnotherRelease):
        assert calls_of_last_release.read_call(job).function == function

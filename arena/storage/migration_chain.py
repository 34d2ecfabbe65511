"""The migrations that this release knows, in order, and how old a program may be that works with the result of each.

A migration's file says of which kind it is: `expand` only adds, and older programs go on working; `contract` removes what
only older programs use, and names in `works_from` the oldest schema whose programs do without; for `stop` everything has to
be stopped.  The files are read, not imported, since every program needs to know this at its start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

SCRIPTS = "arena.storage:migrations"
"""Where Alembic finds the migrations: in the installed package."""

_FACTS = re.compile(r'^(revision|down_revision|kind|works_from) = "(\w+)"$', re.MULTILINE)


class MigrationKind(StrEnum):
    """Demands of a migration on the programs that use the store."""

    EXPAND = "expand"
    CONTRACT = "contract"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class MigrationStep:
    """A migration; `works_from` is the oldest schema whose programs work with a store that has had it."""

    revision: str
    kind: MigrationKind
    works_from: str


def head() -> str:
    """Name the newest revision of the schema."""
    return chain()[-1].revision


def expanded() -> str:
    """Name the newest revision that older programs may still work with: contractions at the end of the chain come later."""
    return next(step.revision for step in reversed(chain()) if step.kind is not MigrationKind.CONTRACT)


def known(revision: str) -> bool:
    """Return whether a revision is one that this release knows."""
    return any(step.revision == revision for step in chain())


def position(revision: str) -> int:
    """Return the place of a known revision in the chain, from 0; later releases only append to it."""
    return next(place for place, step in enumerate(chain()) if step.revision == revision)


def works_from(revision: str) -> str:
    """Name the oldest schema whose programs work with a store at a known revision."""
    return chain()[position(revision)].works_from


def after(revision: str | None) -> tuple[MigrationStep, ...]:
    """Return the migrations that come after a known revision; all of them after None."""
    return chain() if revision is None else chain()[position(revision) + 1 :]


def chain() -> tuple[MigrationStep, ...]:
    """Return all migrations, the oldest first."""
    return _read(SCRIPTS)


@lru_cache
def _read(scripts: str) -> tuple[MigrationStep, ...]:
    package, _, folder = scripts.partition(":")
    place = files(package) / folder if folder else Path(scripts)
    following: dict[str | None, dict[str, str]] = {}
    facts: dict[str, str] | None
    for script in (place / "versions").iterdir():
        if script.name.endswith(".py"):
            facts = dict(_FACTS.findall(script.read_text(encoding="utf-8")))
            following[facts.get("down_revision")] = facts
    steps: list[MigrationStep] = []
    while (facts := following.get(steps[-1].revision if steps else None)) is not None:
        kind = MigrationKind(facts["kind"])
        oldest = {
            MigrationKind.EXPAND: steps[-1].works_from if steps else facts["revision"],
            MigrationKind.CONTRACT: facts.get("works_from", facts["revision"]),
            MigrationKind.STOP: facts["revision"],
        }
        steps.append(MigrationStep(facts["revision"], kind, oldest[kind]))
    return tuple(steps)

"""A new operation is written in four places: put into a copy of the arena as docs/recipes.md says, it works near and far."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.competition.test_new_format import copy_arena

DOMAIN = '''

def find(store: Store, ladder_id: int) -> LadderRow:
    """Return a ladder.  Raises NotFound."""
    for row in listing(store):
        if row.id == ladder_id:
            return row
    raise plans.NotFound(f"ladder {ladder_id}: there is none")
'''
METHOD = '''
    def show(self, ladder_id: int) -> LadderRow:
        """Return a ladder.  Raises NotFound."""
        return ladders.find(self._store, ladder_id)
'''
ROUTE = '''

@router.get("/{ladder_id}", summary="Show a ladder", responses=answers(404, 422))
def show_ladder(arena: TheArena, ladder_id: LadderId) -> LadderRow:
    """Return a ladder."""
    return arena.ladders.show(ladder_id)
'''
COMMAND = '''

@command.command("show")
@click.argument("ladder", type=int, metavar="ID")
@json_option
@reads
def show(arena: Arena, *, ladder: int, as_json: bool) -> None:
    """Show a ladder."""
    _show(arena.ladders.show(ladder), as_json=as_json)
'''
PLACES = {
    "arena/competition/ladders.py": DOMAIN,
    "arena/service/ladder_operations.py": METHOD,
    "arena/web/tournaments/ladders_api.py": ROUTE,
    "arena/cli/tournament/ladder_commands.py": COMMAND,
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena with one operation more, and the client that is generated from its API."""
    copy = copy_arena(tmp_path_factory.mktemp("copy"))
    for name, text in PLACES.items():
        with (copy / name).open("a") as file:
            file.write(text)
    run(copy, "arena.web.client_generator")
    return copy


def run(copy: Path, module: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_new_operation_is_taken_for_one_by_the_tests_of_all(copy: Path) -> None:
    run(copy, "pytest", "-q", "-p", "no:cacheprovider", "tests/service/test_local_arena.py")


def test_new_command_says_the_same_near_and_far(copy: Path) -> None:
    run(copy, "pytest", "-q", "-p", "no:cacheprovider", "tests/service/shown_ladder.py")

"""Games as the command line names them: by id, or by the folder of a project that is not installed."""

from __future__ import annotations

from pathlib import Path

from arena.games import registry


def resolve_games(named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids of the games that are named, all of them if none is.  Raises UsageError.

    Call it before anything of the pages is imported: they take the games as they are then.
    """
    found: list[str] = []
    for name in named:
        if Path(name, "pyproject.toml").is_file():
            found += registry.add_project(Path(name))
        else:
            found.append(registry.package(name).game.id)
    return tuple(found) or tuple(registry.GAMES)

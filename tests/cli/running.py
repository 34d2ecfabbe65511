"""Running `arena` as `main` runs it, in the test's process or apart from it: what it prints, and with which code it ends."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from arena.cli.main import main
from arena.core.settings import settings

APART_S = 120
PRELOADED = ("arena.cli.service.up_command", "arena.web.auth.api_auth", "jinja2", "numpy")
"""What takes most of the time in which a command that runs apart begins, and makes no game known."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    error: str


def run(*arguments: str, within: Path | None = None, **environment: str) -> Done:
    """Run `arena ARGUMENTS` with these environment variables, in a folder if one is given."""
    out, error = StringIO(), StringIO()
    code: object = 0
    settings.cache_clear()
    with (
        patch.object(sys, "argv", ["arena", *arguments]),
        patch.dict(os.environ, {"XDG_CONFIG_HOME": "/nonexistent"} | environment),  # signed in nowhere
        redirect_stdout(out),
        redirect_stderr(error),
        chdir(within or Path.cwd()),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    settings.cache_clear()
    return Done(code if isinstance(code, int) else 0 if code is None else 1, out.getvalue(), error.getvalue())


def run_apart(*arguments: str, within: Path | None = None, environment: Mapping[str, str]) -> Done:
    """Run `arena ARGUMENTS` in a process of its own, forked from one that knows no game yet but has imported `PRELOADED`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *PRELOADED])
    with tempfile.TemporaryDirectory() as folder:
        out, error = Path(folder, "out"), Path(folder, "error")
        become = (["arena", *arguments], within or Path.cwd(), dict(environment), out, error)
        process = context.Process(target=_become, args=become)
        process.start()
        process.join(APART_S)
        assert process.exitcode is not None, f"arena {' '.join(arguments)}: not over within {APART_S} s"
        return Done(process.exitcode, out.read_text(), error.read_text())


def _become(command: list[str], folder: Path, environment: dict[str, str], out: Path, error: Path) -> None:
    """Make this process the command: its arguments, folder and environment, and where it prints."""
    for number, file in ((1, out), (2, error)):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command
    main()

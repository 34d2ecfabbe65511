"""Running `arena` inside of the test's process, as `main` runs it: what it prints, and with which code it ends."""

from __future__ import annotations

import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from arena.cli.main import main
from arena.core.settings import settings


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
        patch.dict(os.environ, environment),
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

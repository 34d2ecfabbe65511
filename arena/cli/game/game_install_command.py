"""`arena game install`: the project of a game, put into the environment of this arena as it is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.core.shipped_files import ROOT


@click.command("install")
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
def command(*, project: Path) -> None:
    """Install the project of a game where this arena is installed.

    It is installed as it is (editable): a change counts from the next start of a program.  pip does it, or uv in an environment without pip, such as that of `make setup`.

    \b
    Example:
      arena game install ./arena-game-tichu
    """
    if not (project / "pyproject.toml").is_file():
        raise UsageError(
            f"project {str(project)!r}: must have a pyproject.toml, as `arena game new` writes it"
        )
    isolated = [] if find_spec("hatchling") is None else ["--no-build-isolation"]  # works without a network
    done = subprocess.run(
        [*_installer(), "--quiet", "--no-deps", *isolated, "--editable", project],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UsageError(
            f"project {str(project)!r}: cannot be installed: {(done.stderr or done.stdout).strip()}"
        )
    echo(f"{project} is installed; what remains: arena game check {project}")


def _installer() -> list[str]:
    """Return the command that installs into this environment.  Raises UsageError where there is none."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install"]
    uv = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".tools" / "bin"))
    if uv is None:
        raise UsageError(f"{sys.prefix}: must have pip, or uv must be on the PATH, to install a game there")
    return [uv, "pip", "install", "--python", sys.executable]

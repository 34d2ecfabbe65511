"""Make a release: `make release VERSION=0.3.0`.

All of it happens in a clone: the version and the changelog, a wheel for any machine and a compiled one for each Python that is here, the
source archive, the bills of materials; each wheel is installed into an empty environment and plays a match.  Only when everything has
succeeded do this checkout's branch and the tag move, and the files come into `dist/VERSION`.  Nothing is pushed.
"""

from __future__ import annotations

import argparse
import datetime as dt
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NAMED = (
    "deploy/container/build",
    "deploy/kubernetes/overlays/large/kustomization.yaml",
    "deploy/kubernetes/overlays/small/kustomization.yaml",
    "deploy/kubernetes/seccomp/kustomization.yaml",
    "docs/bots.md",
    "docs/versioning.md",
    "pyproject.toml",
)
"""Files that name the release."""
UNRELEASED = "## [Unreleased]\n"


class ReleaseError(Exception):
    """Raised when a release cannot be made."""


def next_version(text: str, current: str) -> str:
    """Return a version that may follow the current one.  Raises ReleaseError."""
    try:
        found = Version(text)
    except InvalidVersion as error:
        raise ReleaseError(f"VERSION {text!r}: must be a version such as 0.3.0") from error
    if found <= Version(current):
        raise ReleaseError(f"VERSION {text!r}: must be above {current}, the version in pyproject.toml")
    return str(found)


def current_version(pyproject: str) -> str:
    """Return the version in the text of pyproject.toml."""
    return str(tomllib.loads(pyproject)["project"]["version"])


def released(changelog: str, version: str, day: dt.date) -> str:
    """Return the changelog with its unreleased entries under a version.  Raises ReleaseError."""
    before, mark, after = changelog.partition(UNRELEASED)
    entries = after.partition("\n## [")[0]
    if not mark or "\n- " not in entries:
        raise ReleaseError("CHANGELOG.md: has no entries under [Unreleased]")
    return f"{before}{UNRELEASED}\n## [{version}] - {day.isoformat()}\n{after}"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a program and return what it prints.  Raises ReleaseError."""
    done = subprocess.run(
        command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise ReleaseError(
            f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-4000:]}"
        )
    return done.stdout


def tell(text: str) -> None:
    """Print a step."""
    print(f"release: {text}", flush=True)


def write_version(clone: Path, current: str, version: str) -> None:
    """Write the version into all files that name it, with the changelog, and commit."""
    for name in NAMED:
        file = clone / name
        text = file.read_text(encoding="utf-8")
        if current not in text:
            raise ReleaseError(f"{name}: does not name {current}; mend deploy/release.py")
        file.write_text(text.replace(current, version), encoding="utf-8")
    changelog = clone / "CHANGELOG.md"
    today = dt.datetime.now(dt.UTC).date()
    changelog.write_text(released(changelog.read_text(encoding="utf-8"), version, today), encoding="utf-8")
    run("make", "released-protos", cwd=clone)
    run("git", "commit", "--quiet", "--all", "--message", f"Release {version}", cwd=clone)
    run("git", "tag", "--annotate", f"v{version}", "--message", f"Bot Arena {version}", cwd=clone)


def build(clone: Path, pythons: Sequence[str]) -> Path:
    """Build the wheels, the source archive and the bills of materials; return their folder."""
    dist = clone / "dist"
    run("make", "sbom", cwd=clone)
    run(clone / ".venv/bin/python", "-m", "hatchling", "build", "-t", "sdist", "-d", "dist", cwd=clone)
    for python in pythons:
        tell(f"wheels with Python {python}")
        own = clone.with_name(f"python{python}")
        run("git", "clone", "--quiet", clone, own, cwd=ROOT)
        run("make", "wheel", f"PYTHON=python{python}", cwd=own)
        for wheel in own.glob("dist/*.whl"):
            shutil.copy(wheel, dist)
    return dist


def check(clone: Path, dist: Path, pythons: Sequence[str], version: str) -> None:
    """Check the files, and play a match from each wheel in an empty environment."""
    uv = clone / ".tools/bin/uv"
    wheels = sorted(dist.glob("*.whl"))
    run(
        uv,
        "tool",
        "run",
        "--quiet",
        "--from",
        "twine>=6,<7",
        "twine",
        "check",
        "--strict",
        *wheels,
        *dist.glob("*.tar.gz"),
        cwd=clone,
    )
    for python in pythons:
        tag = f"cp{python.replace('.', '')}"
        for wheel in [each for each in wheels if "py3-none-any" in each.name or tag in each.name]:
            tell(f"a match from {wheel.name} in Python {python}")
            with TemporaryDirectory(prefix="arena-release-") as folder:
                environment = Path(folder, "environment")
                run(uv, "venv", "--quiet", "--python", f"python{python}", environment, cwd=clone)
                run(uv, "pip", "install", "--quiet", "--python", environment / "bin/python", wheel, cwd=clone)
                said = run(environment / "bin/arena", "--version", cwd=Path(folder))
                if version not in said:
                    raise ReleaseError(f"{wheel.name}: says {said.strip()!r}, must say {version}")
                run(environment / "bin/arena", "match", "lost_cities", "greedy", "random", cwd=Path(folder))


def release(wanted: str, pythons: Sequence[str]) -> None:
    """Make a release.  Raises ReleaseError, with nothing changed here."""
    current = current_version((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = next_version(wanted, current)
    if run("git", "status", "--porcelain", cwd=ROOT):
        raise ReleaseError("there are uncommitted changes; commit or stash them")
    with TemporaryDirectory(prefix="arena-release-") as folder:
        clone = Path(folder, "bot-arena")
        run("git", "clone", "--quiet", ROOT, clone, cwd=ROOT)
        run("make", ".stamps/setup", cwd=clone)
        write_version(clone, current, version)
        check(clone, build(clone, pythons), pythons, version)
        run("git", "pull", "--quiet", "--ff-only", "--tags", clone, "HEAD", cwd=ROOT)
        shutil.copytree(clone / "dist", ROOT / "dist" / version, dirs_exist_ok=True)
    tell(f"{version} is committed and tagged; its files are in dist/{version}")


def main() -> int:
    """Make the release that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 0.3.0")
    parser.add_argument(
        "--pythons", default="", help="versions of Python with commas; default: all that are here"
    )
    options = parser.parse_args()
    pythons = tuple(filter(None, options.pythons.split(","))) or tuple(
        each for each in PYTHONS if shutil.which(f"python{each}")
    )
    try:
        release(options.version, pythons)
    except ReleaseError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    tell(
        "next: git push --follow-tags, publish the files, and put the commit's hash into deploy/last-release"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

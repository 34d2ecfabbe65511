"""Opponents of `arena bot ci`: its active version at the arena, a version in git, or any bot of `arena match`."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bundle_format import zip_archive
from arena.bundle_format.program_kind import ELF
from arena.cli.match.contenders import Contender, read_contender
from arena.client import Refused, RemoteArena
from arena.core.errors import ArenaError, Refusal, UsageError
from arena.devtools.project import read_project

ACTIVE = "active"
GIT = "git:"
_ARCHIVE_MAGIC = b"PK"
_NOT_THERE = frozenset({404, 410})
_FIRST_HOUSE_BOT = "greedy"


class NoSuchRevision(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when git has no folder of the bot at a revision."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """The bot that a test is played against, and what it is called in the report."""

    label: str
    contender: Contender
    is_measure: bool = False
    """Whether it replaces an earlier version that cannot be had: losing to it does not fail a build."""


def find_opponent(
    arena: RemoteArena | None, game: str, mine: Contender, folder: Path, against: str | None, place: Path
) -> Opponent:
    """Find the opponent of a test; its files, if they have to be fetched, are put into `place`.

    Without `against` it is the active version at the arena; else, in a pull request, the version at its target
    branch; else a house bot.  Raises ArenaError where what is asked for is not there.
    """
    if against is not None and against.startswith(GIT):
        return _at_revision(game, folder, against.removeprefix(GIT), place)
    if against is not None and against != ACTIVE:
        contender = read_contender(game, against)
        return Opponent(f"{contender.bot} ({against})" if contender.bot != against else against, contender)
    if arena is not None and (found := _active(arena, game, mine.bot, place)) is not None:
        return found
    if against == ACTIVE:
        raise UsageError(
            f"--against {ACTIVE}: {mine.bot} has no active version of {game} at an arena that you are signed in to"
        )
    if base := os.environ.get("GITHUB_BASE_REF"):
        try:
            return _at_revision(game, folder, f"origin/{base}", place)
        except NoSuchRevision:
            pass  # a shallow clone, or the bot is new in this pull request
    return Opponent(_FIRST_HOUSE_BOT, read_contender(game, _FIRST_HOUSE_BOT), is_measure=True)


def _active(arena: RemoteArena, game: str, name: str, place: Path) -> Opponent | None:
    """Fetch the active version of a bot; None if it has none, or its files are no longer kept."""
    try:
        rows = arena.bots.list_versions(game, name)
        active = next((row for row in rows if row.state == "active" and row.source == "hosted"), None)
        if active is None:
            return None
        label = f"{name}@{active.version}"
        data = arena.bots.download_upload(game, label)
    except Refused as refused:
        if refused.status in _NOT_THERE:
            return None
        raise
    single = "bot" if data.startswith(ELF) else "bot.py"
    files = zip_archive.read(data) if data.startswith(_ARCHIVE_MAGIC) else {single: data}
    return Opponent(label, _unpacked(game, files, place, f"{name}-{active.version}"))


def _at_revision(game: str, folder: Path, revision: str, place: Path) -> Opponent:
    """Take a bot's folder as it was committed at a revision.  Raises NoSuchRevision."""
    command = ("git", "-C", str(folder), "archive", "--format=tar", f"{revision}:./")
    try:
        packed = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    except FileNotFoundError as error:
        raise NoSuchRevision(f"{GIT}{revision}: there is no git here") from error
    except subprocess.CalledProcessError as error:
        why = error.stderr.decode(errors="replace").strip().splitlines()
        raise NoSuchRevision(f"{GIT}{revision}: {why[-1] if why else 'git gives no files of it'}") from error
    try:
        contender = _unpacked(game, _files_of(packed), place, "revision")
    except (Refusal, UsageError) as error:
        raise NoSuchRevision(f"{GIT}{revision}: {error}") from error
    return Opponent(f"{contender.bot} at {revision}", contender)


def _files_of(packed: bytes) -> dict[str, bytes]:
    """Return the files of a tar, without hidden ones, which are no part of a bot.  Raises Refusal."""
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            hidden = any(part.startswith(".") for part in member.name.split("/"))
            if not hidden and member.isfile() and (content := archive.extractfile(member)) is not None:
                files[zip_archive.check_path(member.name)] = content.read()
    return files


def _unpacked(game: str, files: dict[str, bytes], place: Path, name: str) -> Contender:
    folder = place / name
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        if content.startswith(ELF):
            file.chmod(0o700)
    _build(folder)
    single = next(iter(files)) if len(files) == 1 else ""  # a folder has a bot.toml, too
    contender = read_contender(game, str(folder / single))
    return replace(contender, bot=f"{contender.bot}-before")


def _build(folder: Path) -> None:
    """Build a program that git does not keep, as the starters in C and Go are built.  Raises UsageError."""
    if not (folder / "Makefile").is_file():
        return
    try:
        read_project(folder)
    except UsageError:  # its entry is not there
        command = ("make", "--silent", "-C", str(folder))
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, text=True)
        except FileNotFoundError as error:
            raise UsageError("its program has to be built: install make") from error
        except subprocess.CalledProcessError as error:
            raise UsageError(f"make fails: {error.stderr.strip()}") from error

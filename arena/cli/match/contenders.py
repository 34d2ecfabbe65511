"""Bots that play in `arena match`: a house bot's name, a file, a project's folder, or the address of a bot that listens."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from arena.cli.match.places import tell_apart
from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from arena.devtools.home_uploads import Upload, read_project_upload
from arena.devtools.project import read_project
from arena.devtools.project_weights import find_weights
from arena.games import registry
from arena.net.address import parse
from arena.net.header_secret import clean_secret
from arena.referee_client import Endpoint, Hosted, SeatOrder

_SECRET_VARIABLE = "ARENA_BOT_SECRET"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot as it was named on the command line; `copy` counts the bots of one program from 0."""

    bot: str
    version: str
    program: str
    """Program that the referee starts; empty for an endpoint."""
    address: str = ""
    copy: int = 0
    folder: Path | None = None
    """The folder of the project that it is."""
    apart: str = ""
    """Part of its path that distinguishes it from other bots of its name."""

    @property
    def label(self) -> str:
        """Return a name that differs from all others of the command line."""
        name = f"{self.bot} ({self.apart})" if self.apart else self.bot
        return f"{name} ({self.copy + 1})" if self.copy else name

    @property
    def place(self) -> str:
        """Return where its program is, or its address: those of one place are copies of one bot."""
        return self.program or self.address

    def source(self) -> Hosted | Endpoint:
        """Return where it is, for a single seat."""
        if self.address:
            return Endpoint(
                self.address, clean_secret(os.environ.get(_SECRET_VARIABLE, ""), _SECRET_VARIABLE)
            )
        return Hosted(self.program, 0)

    def order(self, lane: int, seats: int) -> SeatOrder:
        """Order it for a seat.  Copies of one bot share no process."""
        if self.address:
            return SeatOrder(self.bot, self.version, self.source())
        return SeatOrder(self.bot, self.version, Hosted(self.program, lane + self.copy * seats))


def split_game(texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Take the game off a command line: its first word, or the game of a project there.  Raises UsageError."""
    first = Path(texts[0])
    if texts[0] in registry.GAMES:
        return texts[0], tuple(texts[1:])
    if not first.is_dir():
        raise UsageError(
            f"game {texts[0]!r}: this arena has {', '.join(registry.GAMES)}; without a game the first bot must be a project"
        )
    games = read_project(first).games
    if len(games) > 1:
        raise UsageError(
            f"bot {texts[0]!r}: plays {', '.join(games)}; give the game first: arena match {games[0]} {texts[0]} …"
        )
    return games[0], tuple(texts)


def read_contenders(game: str, texts: Sequence[str]) -> tuple[Contender, ...]:
    """Read the bots of a command line; no two have the same label.  Raises UsageError."""
    read = [read_contender(game, text) for text in texts]
    places: dict[str, set[str]] = {}
    for each in read:
        places.setdefault(each.bot, set()).add(each.place)
    apart = {name: tell_apart(found) for name, found in places.items()}
    labels: set[str] = set()
    found: list[Contender] = []
    for each in read:
        contender = replace(each, apart=apart[each.bot][each.place])
        while contender.label in labels:
            contender = replace(contender, copy=contender.copy + 1)
        labels.add(contender.label)
        found.append(contender)
    return tuple(found)


def as_submitted(contenders: Sequence[Contender]) -> tuple[tuple[Contender, ...], tuple[Upload, ...]]:
    """Return the contenders with each project as a submission of it plays, and the uploads that the referee needs for it.

    Projects with the same files are copies of one program, and share no process either.  Raises Refusal, UsageError.
    """
    found: list[Contender] = []
    copies: Counter[str] = Counter()
    uploads: list[Upload] = []
    for contender in contenders:
        upload = None if contender.folder is None else read_project_upload(contender.folder)
        if upload is not None:
            uploads.append(upload)
            program = upload.bundle.program
            contender = replace(contender, program=program, copy=copies[program])  # noqa: PLW2901
            copies[program] += 1
        found.append(contender)
    return tuple(found), tuple(uploads)


def read_contender(game: str, text: str) -> Contender:
    """Read one bot of a command line.  Raises UsageError."""
    house = registry.package(game).house_bots
    if text in house:
        return _house(game, text)
    path = Path(text)
    if path.is_dir():
        return _project(game, path)
    if path.suffix == ".py" or path.is_file():
        if not path.is_file():
            raise UsageError(f"bot {text!r}: there is no such file")
        path = path.resolve()
        if path.stem in house and path.parent == registry.package(game).folder / "house_bots":
            return _house(game, path.stem)
        version = sha256(path.read_bytes()).hexdigest()[:8]
        return Contender(path.stem, version, f"file:{path}")
    if ":" in text:
        parse(text)
        return Contender(text, "endpoint", "", address=text)
    raise UsageError(
        f"bot {text!r}: must be a house bot for {game} ({', '.join(house)}), a file such as my_bot.py, "
        "a project's folder, or HOST:PORT"
    )


def _project(game: str, folder: Path) -> Contender:
    project = read_project(folder)
    if game not in project.games:
        raise UsageError(
            f"bot {str(folder)!r}: does not play {game}; its bot.toml names {', '.join(project.games)}"
        )
    if _needs_packages(project.folder) and not (project.folder / "node_modules").is_dir():
        raise UsageError(
            f"bot {str(folder)!r}: its packages are missing; get them with: cd {folder} && npm install"
        )
    find_weights(project.folder, project.weights)
    return Contender(project.name, project.version, f"file:{project.entry}", folder=project.folder)


def _needs_packages(folder: Path) -> bool:
    """Return whether a project's package.json names packages that it needs to run."""
    try:
        said = json.loads(foreign_text.read(folder / "package.json"))
    except (OSError, ValueError, UnreadableText):
        return False
    return isinstance(said, dict) and bool(said.get("dependencies"))


def _house(game: str, name: str) -> Contender:
    return Contender(name, "1", f"house:{game}/{name}")

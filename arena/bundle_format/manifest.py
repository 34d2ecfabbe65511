"""The manifest of an upload: `bot.toml` as its author writes it, `manifest.json` as a referee reads it.

name = "my-bot"
games = ["lost_cities"]     # or: game = "lost_cities"
entry = "my_bot.py"         # the program's file: its name says what runs it (program_kind.py)
requires = ["numpy"]        # packages in addition to the SDK, of those that the arena has
variants = ["standard"]     # what it plays of its games, as its Hello says; left out: every variant
seat_counts = [2]           # and left out: every number of seats
talks = false
matches_at_once = 1
[weights]                   # large files, uploaded separately (named_weights.py)
"net.onnx" = "9f86d081…"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from arena.bundle_format import named_weights
from arena.bundle_format.manifest_fields import (
    Problems,
    check_name,
    read_entry,
    read_games,
    read_matches_at_once,
    read_packages,
    read_tables,
    read_talks,
    shown,
    wrong,
)
from arena.bundle_format.named_weights import WeightsFile
from arena.bundle_format.program_kind import ProgramKind, kind_of
from arena.core import foreign_text
from arena.core.errors import Refusal
from arena.core.foreign_text import UnreadableText
from arena.core.translatable import say
from arena.declarations import declared_tables
from arena.declarations.declared_tables import DeclaredTables

FORMAT = "arena-bot/1"
FILE = "bot.toml"
_KEYS = frozenset(
    {
        *("name", "game", "games", "entry", "requires", "talks", "matches_at_once", "weights"),
        *("variants", "seat_counts"),
    }
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Manifest of an upload; `entry` is a path inside of it, `requires` are normal names (PEP 503)."""

    name: str
    games: tuple[str, ...]
    entry: str
    requires: tuple[str, ...] = ()
    talks: bool = False
    matches_at_once: int = 1
    weights: tuple[WeightsFile, ...] = ()
    variants: tuple[str, ...] = ()
    seat_counts: tuple[int, ...] = ()

    def tables(self, game: str) -> DeclaredTables:
        """Return the tables of one of its games that it plays."""
        return declared_tables.declared(game, [(self.variants, self.seat_counts)])

    @property
    def kind(self) -> ProgramKind:
        """Kind of program that its entry is."""
        return kind_of(self.entry) or ProgramKind.PYTHON

    def to_json(self) -> str:
        """Write it down for a bundle: always the same text."""
        said = {"format": FORMAT, **asdict(self)}
        for name in ("weights", "variants", "seat_counts"):
            if not said[name]:  # the text of a manifest without it stays the same, and so does the bundle
                del said[name]
        if self.weights:
            said["weights"] = dict(self.weights)
        return json.dumps(said, sort_keys=True, separators=(",", ":"))


def read_toml(data: bytes) -> Manifest:
    """Read a `bot.toml`.  Raises Refusal naming all that is wrong, with the field of the first."""
    try:
        document = tomllib.loads(foreign_text.decode(data))
    except (UnreadableText, tomllib.TOMLDecodeError, RecursionError) as error:
        raise wrong(
            FILE,
            say(
                "{file}: {error}; it must be TOML in UTF-8, such as docs/bots.md shows",
                file=FILE,
                error=error,
            ),
        ) from error
    problems = Problems()
    problems.read(None, _check_keys, document)
    if "game" in document:
        document = {"games": [document["game"]], **document}
    return check(
        name=document.get("name"),
        games=document.get("games", []),
        entry=document.get("entry"),
        requires=document.get("requires", []),
        talks=document.get("talks", False),
        matches_at_once=document.get("matches_at_once", 1),
        weights=document.get("weights", {}),
        variants=document.get("variants", []),
        seat_counts=document.get("seat_counts", []),
        problems=problems,
    )


def _check_keys(document: Mapping[str, object]) -> None:
    unknown = sorted(document.keys() - _KEYS)
    if unknown:
        raise wrong(
            unknown[0],
            say(
                "{file}: {key}: no such field; there are {keys}",
                file=FILE,
                key=", ".join(map(shown, unknown)),
                keys=", ".join(sorted(_KEYS)),
            ),
        )
    if "game" in document and "games" in document:
        raise wrong("game", say("{file}: game and games: give one of the two", file=FILE))


def check(
    name: object,
    games: object,
    entry: object,
    requires: object = (),
    talks: object = False,  # noqa: FBT002
    matches_at_once: object = 1,
    weights: object = MappingProxyType({}),
    variants: object = (),
    seat_counts: object = (),
    *,
    problems: Problems | None = None,
) -> Manifest:
    """Make a manifest of values of any type.  Raises Refusal naming all that is wrong, also before, with the field of the first."""
    problems = problems or Problems()
    checked = problems.read("NAME", check_name, name)
    played = problems.read((), read_games, games)
    said = Manifest(
        checked,
        played,
        problems.read("", read_entry, entry, played[0] if played else "GAME", checked),
        problems.read((), read_packages, requires, entry),
        problems.read(False, read_talks, talks),  # noqa: FBT003 - what it is otherwise
        problems.read(1, read_matches_at_once, matches_at_once),
        problems.read((), named_weights.read, weights),
        *problems.read(((), ()), read_tables, played, variants, seat_counts),
    )
    problems.check()
    return said


def check_packages(manifest: Manifest, allowed: Collection[str]) -> None:
    """Check that the arena has all that a bot requires; `allowed` are normal names.  Raises Refusal."""
    for package in manifest.requires:
        if package not in allowed:
            has = ", ".join(sorted(allowed)) or say("none except the SDK")
            raise Refusal(
                "package_not_allowed",
                say(
                    "requires {package!r}: this arena has {has}; do without it, or ask the operator (ARENA_ALLOWED_PACKAGES)",
                    package=package,
                    has=has,
                ),
                field="requires",
            )


def check_offered(manifest: Manifest, offered: Collection[ProgramKind]) -> None:
    """Check that the arena runs programs of a bot's kind.  Raises Refusal."""
    if manifest.kind not in offered:
        raise Refusal(
            "program_not_offered",
            say(
                "entry {entry!r}: this arena does not run bots of its kind ({kind}), only {offered}; ask the operator, or run it yourself and connect",
                entry=manifest.entry,
                kind=manifest.kind,
                offered=", ".join(sorted(offered)),
            ),
            field="entry",
        )


def from_json(text: str) -> Manifest:
    """Read a manifest out of a bundle.  Raises Refusal."""
    try:
        document: dict[str, Any] = json.loads(text)
        said = document.pop("format")
        checked = check(**document)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise wrong("", f"manifest.json: {error!r}; it is no {FORMAT}") from error
    if said != FORMAT:
        raise wrong("format", f"manifest.json: is {shown(said)}; this version reads {FORMAT}")
    return checked

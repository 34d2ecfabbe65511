"""The manifest: what an upload says about itself, `bot.toml` as its author writes it, `manifest.json` as a referee reads it.

name = "my-bot"
games = ["lost_cities"]     # or: game = "lost_cities"
entry = "my_bot.py"         # the program's file: its name tells what runs it (program_kind.py)
requires = ["numpy"]        # packages beside the SDK, of those that the arena has
variants = ["standard"]     # what it plays of its games, as its Hello says; left out: every variant
seat_counts = [2]           # and left out: every number of seats
talks = false
matches_at_once = 1
[weights]                   # large files, uploaded beside the archive (named_weights.py)
"net.onnx" = "9f86d081…"
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from arena.bundle_format import named_weights
from arena.bundle_format.named_weights import WeightsFile
from arena.bundle_format.program_kind import ProgramKind, kind_of
from arena.core import foreign_text
from arena.core.errors import Refusal, UsageError
from arena.core.foreign_text import UnreadableText
from arena.core.translatable import say
from arena.declarations import declared_tables
from arena.declarations.declared_tables import DeclaredTables
from arena.games import registry

FORMAT = "arena-bot/1"
FILE = "bot.toml"
MAX_AT_ONCE = 256
_MAX_GAMES = 20
_MAX_PACKAGES = 50
_MAX_TABLES = 20
_MAX_TEXT_CHARS = 200
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PACKAGE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_KEYS = frozenset(
    {
        *("name", "game", "games", "entry", "requires", "talks", "matches_at_once", "weights"),
        *("variants", "seat_counts"),
    }
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an upload says about itself; `entry` is a path inside of it, `requires` are normal names (PEP 503)."""

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
        """What runs it."""
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
    """Read a `bot.toml`.  Raises Refusal naming the field."""
    try:
        document = tomllib.loads(foreign_text.decode(data))
    except (UnreadableText, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong(
            FILE,
            say(
                "{file}: {error}; it must be TOML in UTF-8, such as docs/bots.md shows",
                file=FILE,
                error=error,
            ),
        ) from error
    unknown = sorted(document.keys() - _KEYS)
    if unknown:
        raise _wrong(
            unknown[0],
            say(
                "{file}: {key}: no such field; there are {keys}",
                file=FILE,
                key=_shown(unknown[0]),
                keys=", ".join(sorted(_KEYS)),
            ),
        )
    games = document.get("games", [])
    if "game" in document:
        if games:
            raise _wrong("game", say("{file}: game and games: give one of the two", file=FILE))
        games = [document["game"]]
    return check(
        name=document.get("name"),
        games=games,
        entry=document.get("entry"),
        requires=document.get("requires", []),
        talks=document.get("talks", False),
        matches_at_once=document.get("matches_at_once", 1),
        weights=document.get("weights", {}),
        variants=document.get("variants", []),
        seat_counts=document.get("seat_counts", []),
    )


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
) -> Manifest:
    """Make a manifest of values of any type.  Raises Refusal naming the field."""
    checked = check_name(name)
    played = _texts("games", games, _MAX_GAMES)
    if not played:
        raise _wrong(
            "games", say("games: must name at least one of {games}", games=", ".join(registry.GAMES))
        )
    for game in played:
        try:
            registry.find(game)
        except UsageError as error:
            raise _wrong("games", f"games: {error}") from error
    kind = kind_of(entry) if isinstance(entry, str) else None
    if not isinstance(entry, str) or kind is None or len(entry) > _MAX_TEXT_CHARS:
        raise _wrong(
            "entry",
            say(
                "entry {entry}: must be the path of a file in the upload: in Python (my_bot.py), TypeScript or JavaScript (bot.ts), "
                "or a static program without an ending (my_bot); anything else runs on your machine and connects: "
                "`arena bot add {game} {name} --dial-in --arena URL`, or /submit in a browser",
                entry=_shown(entry),
                game=played[0],
                name=checked,
            ),
        )
    packages = _texts("requires", requires, _MAX_PACKAGES)
    if packages and kind is not ProgramKind.PYTHON:
        raise _wrong(
            "requires",
            say("requires: only bots in Python can have packages; bring what {entry} needs", entry=entry),
        )
    for package in packages:
        if not _PACKAGE.fullmatch(package):
            raise _wrong(
                "requires",
                say(
                    "requires {package}: must be a package's name without a version, such as numpy",
                    package=_shown(package),
                ),
            )
    if not isinstance(talks, bool):
        raise _wrong("talks", say("talks {talks}: must be true or false", talks=_shown(talks)))
    if (
        isinstance(matches_at_once, bool)
        or not isinstance(matches_at_once, int)
        or not 1 <= matches_at_once <= MAX_AT_ONCE
    ):
        raise _wrong(
            "matches_at_once",
            say(
                "matches_at_once {number}: must be 1 to {most}",
                number=_shown(matches_at_once),
                most=MAX_AT_ONCE,
            ),
        )
    return Manifest(
        checked,
        played,
        entry,
        tuple(sorted(set(map(normal, packages)))),
        talks,
        matches_at_once,
        named_weights.read(weights),
        *read_tables(played, variants, seat_counts),
    )


def check_name(name: object) -> str:
    """Check the name of a bot.  Raises Refusal."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Refusal(
            "name_invalid",
            say(
                "bot {name}: must be 1 to 40 lower-case letters, digits, - and _, the first a letter or digit",
                name=_shown(name),
            ),
            field="name",
        )
    return name


def check_packages(manifest: Manifest, allowed: Collection[str]) -> None:
    """Check that the arena has all that a bot requires; `allowed` are normal names.  Raises Refusal."""
    for package in manifest.requires:
        if package not in allowed:
            has = ", ".join(sorted(allowed)) or say("none beside the SDK")
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


def normal(package: str) -> str:
    """Write a package's name as all its spellings are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package).lower()


def from_json(text: str) -> Manifest:
    """Read a manifest out of a bundle.  Raises Refusal."""
    try:
        document: dict[str, Any] = json.loads(text)
        said = document.pop("format")
        checked = check(**document)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _wrong("", f"manifest.json: {error!r}; it is no {FORMAT}") from error
    if said != FORMAT:
        raise _wrong("format", f"manifest.json: is {_shown(said)}; this version reads {FORMAT}")
    return checked


def _texts(field: str, value: object, most: int) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise _wrong(field, say("{field} {value}: must be a list of texts", field=field, value=_shown(value)))
    if len(value) > most or len(set(value)) != len(value):
        raise _wrong(
            field,
            say("{field}: must have at most {most} entries, none of them twice", field=field, most=most),
        )
    return tuple(value)


def read_tables(
    games: Sequence[str], variants: object, seat_counts: object
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Check the variants and the seat counts that a manifest declares.  Raises Refusal if its games do not have them."""
    wanted, counts = _texts("variants", variants, _MAX_TABLES), _seat_counts(seat_counts)
    try:
        declared_tables.check(games, wanted, counts)
    except Refusal as error:
        raise _wrong(error.field, str(error)) from error
    return wanted, counts


def _seat_counts(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not all(type(each) is int for each in value):
        raise _wrong(
            "seat_counts",
            say("seat_counts {value}: must be a list of numbers, such as [2]", value=_shown(value)),
        )
    if len(value) > _MAX_TABLES or len(set(value)) != len(value):
        raise _wrong(
            "seat_counts",
            say(
                "{field}: must have at most {most} entries, none of them twice",
                field="seat_counts",
                most=_MAX_TABLES,
            ),
        )
    return tuple(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_TEXT_CHARS else f"{text[:_MAX_TEXT_CHARS]}…"


def _wrong(field: str, message: str) -> Refusal:
    return Refusal("manifest_invalid", message, field=field)

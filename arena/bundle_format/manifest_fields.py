"""The fields of a manifest, each checked by itself, so that all that is wrong can be named at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, ParamSpec, TypeVar

from arena.bundle_format.program_kind import ProgramKind, kind_of
from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.declarations import declared_tables
from arena.games import registry

MAX_AT_ONCE = 256
_MAX_GAMES = 20
_MAX_PACKAGES = 50
_MAX_TABLES = 20
_MAX_TEXT_CHARS = 200
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PACKAGE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")

Given = ParamSpec("Given")
Field = TypeVar("Field")


class Problems:
    """Errors in the fields of a manifest that have been read so far; mutable."""

    def __init__(self) -> None:
        self._found: Final[list[UsageError]] = []

    def read(
        self, otherwise: Field, read: Callable[Given, Field], *given: Given.args, **named: Given.kwargs
    ) -> Field:
        """Return a field as `read` returns it; `otherwise` if it is wrong, which is noted."""
        try:
            return read(*given, **named)
        except UsageError as error:
            self._found.append(error)
            return otherwise

    def check(self) -> None:
        """Raise Refusal naming all problems, with the code and the field of the first, if there are any."""
        if not self._found:
            return
        *others, message = [str(error) for error in self._found]
        for other in reversed(others):
            message = say("{problem}; also: {others}", problem=other, others=message)
        first = self._found[0]
        if isinstance(first, Refusal):
            raise Refusal(first.code, message, field=first.field)
        raise UsageError(message)


def check_name(name: object) -> str:
    """Check the name of a bot.  Raises Refusal."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Refusal(
            "name_invalid",
            say(
                "bot {name}: must be 1 to 40 lower-case letters, digits, - and _, the first a letter or digit",
                name=shown(name),
            ),
            field="name",
        )
    return name


def read_games(value: object) -> tuple[str, ...]:
    """Check the games that a bot plays.  Raises Refusal."""
    games = read_texts("games", value, _MAX_GAMES)
    if not games:
        raise wrong("games", say("games: must name at least one of {games}", games=", ".join(registry.GAMES)))
    for game in games:
        try:
            registry.find(game)
        except UsageError as error:
            raise wrong("games", f"games: {error}") from error
    return games


def read_entry(value: object, game: str, name: str) -> str:
    """Check the path of the program that is started; the game and the name are for the advice.  Raises Refusal."""
    if not isinstance(value, str) or kind_of(value) is None or len(value) > _MAX_TEXT_CHARS:
        raise wrong(
            "entry",
            say(
                "entry {entry}: must be the path of a file in the upload: in Python (my_bot.py), TypeScript or JavaScript (bot.ts), "
                "or a static program without an ending (my_bot); anything else runs on your machine and connects: "
                "`arena bot add {game} {name} --dial-in --arena URL`, or /submit in a browser",
                entry=shown(value),
                game=game,
                name=name,
            ),
        )
    return value


def read_packages(value: object, entry: object) -> tuple[str, ...]:
    """Check the packages that a program requires, and return their normal names.  Raises Refusal."""
    packages = read_texts("requires", value, _MAX_PACKAGES)
    kind = kind_of(entry) if isinstance(entry, str) else None
    if packages and kind not in {None, ProgramKind.PYTHON}:
        raise wrong(
            "requires",
            say("requires: only bots in Python can have packages; bring what {entry} needs", entry=entry),
        )
    for package in packages:
        if not _PACKAGE.fullmatch(package):
            raise wrong(
                "requires",
                say(
                    "requires {package}: must be a package's name without a version, such as numpy",
                    package=shown(package),
                ),
            )
    return tuple(sorted(set(map(normal, packages))))


def read_talks(value: object) -> bool:
    """Check whether a bot talks.  Raises Refusal."""
    if not isinstance(value, bool):
        raise wrong("talks", say("talks {talks}: must be true or false", talks=shown(value)))
    return value


def read_matches_at_once(value: object) -> int:
    """Check how many matches a bot plays at once.  Raises Refusal."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_AT_ONCE:
        raise wrong(
            "matches_at_once",
            say("matches_at_once {number}: must be 1 to {most}", number=shown(value), most=MAX_AT_ONCE),
        )
    return value


def normal(package: str) -> str:
    """Write a package's name as all its spellings are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package).lower()


def read_texts(field: str, value: object, most: int) -> tuple[str, ...]:
    """Check a list of texts.  Raises Refusal."""
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise wrong(field, say("{field} {value}: must be a list of texts", field=field, value=shown(value)))
    if len(value) > most or len(set(value)) != len(value):
        raise wrong(
            field,
            say("{field}: must have at most {most} entries, none of them twice", field=field, most=most),
        )
    return tuple(value)


def read_tables(
    games: Sequence[str], variants: object, seat_counts: object
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Check the variants and the seat counts that a manifest declares.  Raises Refusal if its games do not have them."""
    wanted, counts = read_texts("variants", variants, _MAX_TABLES), _seat_counts(seat_counts)
    try:
        declared_tables.check(games, wanted, counts)
    except Refusal as error:
        raise wrong(error.field, str(error)) from error
    return wanted, counts


def _seat_counts(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not all(type(each) is int for each in value):
        raise wrong(
            "seat_counts",
            say("seat_counts {value}: must be a list of numbers, such as [2]", value=shown(value)),
        )
    if len(value) > _MAX_TABLES or len(set(value)) != len(value):
        raise wrong(
            "seat_counts",
            say(
                "{field}: must have at most {most} entries, none of them twice",
                field="seat_counts",
                most=_MAX_TABLES,
            ),
        )
    return tuple(value)


def shown(value: object) -> str:
    """Return a value as a message shows it."""
    text = repr(value)
    return text if len(text) <= _MAX_TEXT_CHARS else f"{text[:_MAX_TEXT_CHARS]}…"


def wrong(field: str, message: str) -> Refusal:
    """Return the refusal of a field."""
    return Refusal("manifest_invalid", message, field=field)

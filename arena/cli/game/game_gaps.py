"""Gaps of a game: files, docs, messages, house bots, and what play at random shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.cli.game import game_display_check, game_playtest
from arena.core import foreign_text
from arena.core.shipped_files import ROOT
from arena.devtools.game_project import SKELETON
from arena.devtools.view_messages import derive_messages
from arena.games import registry
from arena.games.checks import MIN_HOUSE_BOTS
from arena.games.package import GamePackage
from arena.match.record import from_json
from arena.match.verification import verify
from arena.web.ui import message_catalogues
from arena.web.ui.languages import LANGUAGES

_FILES = {
    "state.py": "the position",
    "view.py": "what a seat sees of it",
    "rules.py": "the game's verbs",
    "codec.py": "the view as a message",
    "sampler.py": "positions that a seat may be in",
    "board/board.html": "the template of its board",
    "board/board.css": "the styles of its board",
    "board/picture.svg": "the picture beside its name",
    "board/drawing.py": "DRAWING; without it the game is never drawn for the public",
    "board/phrases.py": "PHRASES: actions in words",
    "house_bots/__init__.py": "STYLES: a line on each house bot of its own",
    "house_bots/greedy.py": "a house bot of a few simple rules",
    "house_bots/search.py": "a house bot that searches",
    "checks/__init__.py": "CHECKS: what holds the game to its rules",
    "docs/match.json": "the record of the match with remarks",
    "docs/board.png": "a picture of the board",
}
_SECTIONS = ("Rules", "Notation", "Legal actions", "View", "Record", "A match, annotated", "Advice")
_COMMON_BOTS = frozenset({"greedy", "search"})


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is missing or does not hold: the file it belongs to, relative to the game's folder, and what it is."""

    file: str
    text: str


def find_gaps(game: str) -> list[Gap]:
    """List all that is missing of a game.  Raises UsageError for one that is not known or cannot be loaded."""
    package = registry.package(game)
    gaps = [
        Gap(file, f"is missing: {what}")
        for file, what in _FILES.items()
        if not (package.folder / file).exists()
    ]
    parts: tuple[Callable[[GamePackage], Iterator[tuple[str, str]]], ...] = (
        _find_proto_gaps,
        _find_picture_gaps,
        _find_bot_gaps,
        _find_docs_gaps,
        _find_record_gaps,
        _find_message_gaps,
        *game_playtest.PARTS,
        *game_display_check.PARTS,
    )
    for part in parts:
        try:
            gaps += [Gap(file, text) for file, text in part(package)]
        except Exception as error:  # noqa: BLE001 - the game's own code may raise anything: that is reported
            gaps.append(Gap(_where(error, package), f"{type(error).__name__}: {error}"))
    return list(dict.fromkeys(gaps))


def _where(error: Exception, package: GamePackage) -> str:
    """Name the game's file that an error comes from, as deep as it is known."""
    found, trace = "rules.py", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(f"{package.folder}/"):
            found = file.removeprefix(f"{package.folder}/")
        trace = trace.tb_next
    return found


def _find_proto_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    name = f"{package.game.id}.proto"
    if not (package.folder / name).is_file() and not (ROOT / "protos" / "arena" / "v1" / name).is_file():
        yield name, "is missing: the message of the view, for bots in other languages"
    for change in derive_messages(package).changes:
        what = ".".join(filter(None, (change.message, change.field)))
        yield name, f"{what}: is not as the view has it; arena game proto {package.game.id} writes it"


def _find_picture_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    """Compare what is drawn with the other games: what was copied, and symbols that a page would confuse."""
    symbols = set(re.findall(r'id="([^"]+)"', package.read("pieces.svg")))
    others = {game: each for game, each in registry.PACKAGES.items() if game != package.game.id}
    copied = {game: each.folder for game, each in others.items()}
    copied["the skeleton"] = next(SKELETON.glob("arena_game_*"))
    own_rules = _without_name(package.folder)
    for game, folder in copied.items():
        if own_rules and own_rules == _without_name(folder):
            yield "docs/rules.md", f"is still that of {game}"
        for file in ("board/picture.svg", "docs/board.png", "docs/board.webp"):
            mine, theirs = package.folder / file, folder / file
            if mine.is_file() and theirs.is_file() and mine.read_bytes() == theirs.read_bytes():
                yield file, f"is still that of {game}"
    for game, other in others.items():
        for symbol in sorted(symbols.intersection(re.findall(r'id="([^"]+)"', other.read("pieces.svg")))):
            yield "board/pieces.svg", f"symbol {symbol!r}: {game} has one of that name, too"


def _without_name(folder: Path) -> str:
    """Return the rules of a game without what it is called: its id, and the title of the page."""
    path = folder / "docs" / "rules.md"
    if not path.is_file():
        return ""
    text = foreign_text.read(path)
    title = text.partition("\n")[0].removeprefix("# ")
    game = folder.name.removeprefix("arena_game_")
    called = {title, title.removeprefix("The "), game, game.upper(), game.replace("_", "-")}
    camel = "".join(word.capitalize() for word in game.split("_"))
    names = "|".join(re.escape(each) for each in sorted({*called, camel}, key=len, reverse=True) if each)
    return re.sub(
        rf"\(\S*\.proto\)|(arena\.games\.|arena/games/|arena\.v1\.|arena_game_\w+\.(?=[A-Z])|arena_game_)?({names})",
        "GAME",
        text,
    )


def _find_bot_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    own = [bot for bot in package.house_bots if package.house_module(bot).startswith(f"{package.module}.")]
    if len(own) < MIN_HOUSE_BOTS:
        yield (
            "house_bots",
            f"{len(own)} bots of its own: must be {MIN_HOUSE_BOTS}, so that tournaments are contests",
        )
    for bot in own:
        if bot not in package.styles and bot not in _COMMON_BOTS:
            yield "house_bots/__init__.py", f"STYLES: has no line on {bot!r}"


def _find_docs_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    for language in LANGUAGES:
        path = package.rules_page(language)
        if not path.is_file():
            yield f"docs/{path.name}", "is missing: the rules, settled to the last tie"
    english = package.rules_page("en")
    if not english.is_file():
        return
    page = foreign_text.read(english)
    found = re.findall("^## (.*)", page, re.MULTILINE)
    for section in _SECTIONS:
        if section not in found:
            yield "docs/rules.md", f"has no part {section!r}"
    rules = package.game
    configurations = [(variant, seats) for variant, counts in rules.variants.items() for seats in counts]
    options = {option.name for variant, seats in configurations for option in rules.options(variant, seats)}
    view = rules.view(rules.new(rules.setup(configurations[0][1]), bytes(32))[0], 0)
    words = [*rules.variants, *sorted(options), *view._fields, *package.styles]
    for word in words:
        if f"`{word}`" not in page:
            yield "docs/rules.md", f"does not name `{word}`"
    for code in list(LANGUAGES)[1:]:
        path = package.rules_page(code)
        if path.is_file() and (parts := foreign_text.read(path).count("\n## ")) != len(found):
            yield f"docs/{path.name}", f"has {parts} parts: must be {len(found)}, as the English page has"


def _find_record_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    for path in sorted(package.docs.glob("match*.json")):
        record = from_json(foreign_text.read(path))
        if (wrong := verify(record, package.game)) is not None:
            yield f"docs/{path.name}", f"is not a match of these rules: {wrong}"
        for page in package.docs.glob("rules*.md"):
            if path.name not in foreign_text.read(page):
                yield f"docs/{page.name}", f"does not link to {path.name}"


def _find_message_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game = package.game.id
    marked = {each.id for each in message_catalogues.extract(game)}
    for variant, counts in package.game.variants.items():
        for option in package.game.options(variant, counts[0]):
            if option.meaning not in marked:
                yield "rules.py", f"option {option.name!r}: its meaning must be marked for translation"
    for language in list(LANGUAGES)[1:]:
        file = f"locale/{language}.po"
        for text, messages in (
            ("is not translated", message_catalogues.lacking(language, game)),
            ("is no longer said", message_catalogues.unused(language, game)),
            ("is filled in otherwise than the English", message_catalogues.misfilled(language, game)),
            (
                "is translated otherwise by the arena or another game, which counts",
                message_catalogues.overruled(language, game),
            ),
        ):
            for message in messages:
                yield file, f"{json.dumps(message, ensure_ascii=False)} {text}"

"""A game with all that belongs to it: what its folder has, found there by name.

    rules.py state.py view.py codec.py sampler.py      how it is played
    encoding.py                                        how it is put into numbers for learners
    traits.py                                          what shows how a bot plays it
    board/                                             how it is drawn: drawing.py, phrases.py, board.html, …
    house_bots/                                        the bots that the arena has for it, one a file, and their styles
    locale/                                            the catalogues of its messages: es.po
    checks/                                            what holds it to its rules: twins.py, golden/*.json, …
    docs/                                              rules.md, rules.es.md, match.json (or several match-….json), board.png, board.webp

A game's `__init__.py` says `PACKAGE = GamePackage(__name__, TICHU)`; the other parts are loaded when they are first asked
for, since a bot needs the rules only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from arena.core import foreign_text
from arena.games.drawing import Drawing
from arena.games.encoding import Encoding
from arena.games.kernel import AnyGame, Setup, Step
from arena.games.narrating import DrawUp, Narrate, nothing_came_of_it, nothing_ended
from arena.games.phrases import Phrases
from arena.games.traits import NO_TRAITS, Traits

if TYPE_CHECKING:
    from arena.games.checks import Checks

_FOR_ALL_GAMES = {"random": "bots.random"}
"""House bots that play any game: name → module."""


class Codec(Protocol):
    """Codec of one game's view: the module `codec.py` of its folder."""

    VIEW_TYPE: str
    """The full name of the message, as `Start.view_type` gives it."""

    def encode(self, view: Any) -> bytes:  # noqa: ANN401 - each game has its own view
        """Write a view as the bytes of its message; equal views give equal bytes."""
        ...

    def decode(self, data: bytes) -> Any:  # noqa: ANN401 - each game has its own view
        """Read a view from the bytes of its message."""
        ...


class Sampler(Protocol):
    """Sampler of one game's positions: the module `sampler.py` of its folder."""

    def sample(self, setup: Setup, view: Any, history: Sequence[Step], seat: int, random: Random) -> Any:  # noqa: ANN401 - each game has its own view and state
        """Draw a state that agrees with what a seat sees now and has seen since the match began.

        `setup.talks` need not be known: no seat may be taken to talk.
        """
        ...


Redeal: TypeAlias = Callable[[Any, Random], Any]
"""Function from a state to one that every seat sees alike, with the same cards in all hands, and later chance drawn again."""


def _leave(state: Any, _: Random) -> Any:  # noqa: ANN401 - each game has its own state
    return state


@dataclass(frozen=True)
class GamePackage:
    """A game and its folder.  `module` is the name of the Python package that the folder is."""

    module: str
    game: AnyGame
    complexity: int = 3
    """Amount to learn, from 1 (light) to 5 (heavy): lists of games begin with the lightest."""

    demo_cycles: int = 2
    """Cycles of the tournament that a new arena begins with; 0 for none."""

    @cached_property
    def folder(self) -> Path:
        """The game's folder."""
        return Path(str(import_module(self.module).__file__)).parent

    @cached_property
    def board(self) -> Path:
        """The folder of what draws it: `board.html`, `board.css`, `key.html`, `pieces.svg`, `picture.svg`."""
        return self.folder / "board"

    @cached_property
    def codec(self) -> Codec:
        """Codec of its view."""
        return cast("Codec", import_module(f"{self.module}.codec"))

    @cached_property
    def encoding(self) -> Encoding | None:
        """Encoding of the game in numbers for learners; None without `encoding.py`."""
        return cast("Encoding | None", self._optional("encoding"))

    @cached_property
    def sampler(self) -> Sampler:
        """Sampler of its positions."""
        return cast("Sampler", import_module(f"{self.module}.sampler"))

    @cached_property
    def redeal(self) -> Redeal:
        """Function that draws future chance again; one that changes nothing if its sampler has no `redeal`."""
        found: Redeal = getattr(self.sampler, "redeal", _leave)
        return found

    @cached_property
    def search_plan(self) -> Any | None:  # noqa: ANN401 - a plan of bots/trees.py, which nothing here may import
        """The plan of its house bot `search`, by which positions are played on: None without such a bot."""
        if "search" not in self.house_bots:
            return None
        bot = getattr(import_module(self.house_module("search")), "Search", None)
        return getattr(bot, "plan", None)

    @cached_property
    def drawing(self) -> Drawing | None:
        """Drawing of its public positions; None if it has none: then it is never drawn for the public."""
        module = self._optional("board.drawing")
        return None if module is None else cast("Drawing", module.DRAWING)

    @cached_property
    def phrases(self) -> Phrases:
        """Its words on the pages; without `board/phrases.py` there are none."""
        module = self._optional("board.phrases")
        return Phrases(actions={}, verbs={}) if module is None else cast("Phrases", module.PHRASES)

    @cached_property
    def narrate(self) -> Narrate:
        """Narration of a point; without `board/narration.py` it is empty."""
        module = self._optional("board.narration")
        return nothing_came_of_it if module is None else cast("Narrate", module.narrate)

    @cached_property
    def draw_up(self) -> DrawUp:
        """Scoring of a hand, round or match that ends at a point; without `draw_up` in `board/narration.py` there are no score sheets."""
        module = self._optional("board.narration")
        return cast("DrawUp", getattr(module, "draw_up", nothing_ended))

    @cached_property
    def traits(self) -> Traits:
        """Traits of a bot's play; empty without `traits.py`."""
        module = self._optional("traits")
        return NO_TRAITS if module is None else cast("Traits", module.TRAITS)

    @cached_property
    def house_bots(self) -> tuple[str, ...]:
        """The names of its house bots, by the alphabet.  They are found by their files and not imported: the platform knows no bot."""
        files = (self.folder / "house_bots").glob("*.py")
        own = {file.stem for file in files if not file.stem.startswith("_")}
        return tuple(sorted({*own, *_FOR_ALL_GAMES}))

    def house_module(self, bot: str) -> str:
        """Return the module of a house bot.  Raises LookupError for one that does not exist."""
        if bot not in self.house_bots:
            raise LookupError(
                f"bot {bot!r}: the house bots for {self.game.id} are {', '.join(self.house_bots)}"
            )
        return _FOR_ALL_GAMES.get(bot, f"{self.module}.house_bots.{bot}")

    @cached_property
    def styles(self) -> Mapping[str, str]:
        """Styles of its own house bots, by name: a line for people."""
        module = self._optional("house_bots")
        return {} if module is None else cast("Mapping[str, str]", module.STYLES)

    @property
    def docs(self) -> Path:
        """The folder of its rules' pages, with the records of the matches and the pictures that they show."""
        return self.folder / "docs"

    def rules_page(self, language: str) -> Path:
        """Return where its rules in a language are, if they are written."""
        return self.docs / ("rules.md" if language == "en" else f"rules.{language}.md")

    def catalogue(self, language: str) -> Path:
        """Return where the catalogue of its messages in a language is, if it has one."""
        return self.folder / "locale" / f"{language}.po"

    @cached_property
    def checks(self) -> Checks | None:
        """Checks of its rules, besides those of all games; None without `checks/__init__.py`."""
        module = self._optional("checks")
        return None if module is None else cast("Checks", module.CHECKS)

    @property
    def golden(self) -> Path:
        """The folder of its golden matches."""
        return self.folder / "checks" / "golden"

    def read(self, name: str) -> str:
        """Read a file of its board; empty if it is not there."""
        path = self.board / name
        return foreign_text.read(path) if path.is_file() else ""

    def _optional(self, name: str) -> ModuleType | None:
        full = f"{self.module}.{name}"
        try:
            return import_module(full)
        except ModuleNotFoundError as error:
            if error.name is not None and (full == error.name or full.startswith(f"{error.name}.")):
                return None
            raise

"""Faults that random matches of a game show on the pages: boards, words, narration and traits, each tried as a page would."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from typing import Any

from arena.cli.game.game_playtest import legal_actions, playouts, sample
from arena.core.translatable import Wording
from arena.games.checks import MAX_BOARD_BYTES, MAX_PACKED_BOARD_BYTES
from arena.games.kernel import Chance, DummyPlayed, Step, Talk
from arena.games.package import GamePackage
from arena.games.traits import PastPoint
from arena.web.boards import action_words, draw_board, open_scene, pieces, public_scene, seat_scene_of
from arena.web.boards.story import Story
from arena.web.ui.languages import LANGUAGES, catalogue
from arena.web.ui.locale_format import Writing


def _find_phrase_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game, phrases = package.game, package.phrases
    named: set[str] = set()
    for playout in playouts(package):
        actions = legal_actions(package, playout)
        actions |= {step.action for step in playout.steps() if isinstance(step, DummyPlayed)}
        for action in sorted(actions):
            pattern = " ".join([action.split()[0], *["_"] * (len(action.split()) - 1)])
            if pattern not in named and not isinstance(action_words.action(game.id, action), Wording):
                named.add(pattern)
                yield "board/phrases.py", f"actions: {pattern!r} has no words (such as {action!r})"
            if action not in phrases.verbs and action.split()[0] not in phrases.verbs:
                yield "board/phrases.py", f"verbs: {action.split()[0]!r} has no words"
        for name in sorted({step.name for step in playout.steps() if isinstance(step, Chance)} - {"deal"}):
            if name not in phrases.chance:
                yield "board/phrases.py", f"chance: {name!r} has no words"


def _find_talk_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    phrases = package.phrases
    for playout in playouts(package):
        for talk in {each for point in playout.points for each in point.decisions if isinstance(each, Talk)}:
            for kind in talk.limits.kinds:
                if kind not in phrases.claims or kind not in phrases.claim_verbs:
                    yield "board/phrases.py", f"claims and claim_verbs: {kind!r} has no words"
            for when in talk.limits.whens:
                if when not in phrases.whens:
                    yield "board/phrases.py", f"whens: {when!r} has no words"


def _find_narration_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    """Narrate whole matches and draw up their score sheets, in every language."""
    tellers = [Writing(language, catalogue(language)).tell for language in LANGUAGES]
    for playout in playouts(package):
        seats = playout.configuration.seats
        story = Story(package.game.id, [f"bot-{seat}" for seat in range(seats)])
        for state, steps in zip(
            playout.states(), [(), *(each.steps for each in playout.points)], strict=True
        ):
            happening = story.happen(state, steps)
            if happening is None:
                continue
            sheet = package.draw_up(happening)
            heads = [] if sheet is None else [sheet.title, *sheet.heads, *(row.name for row in sheet.rows)]
            for text in [*package.narrate(happening), *heads]:
                for tell in tellers:
                    tell(text)
            for row in sheet.rows if sheet is not None else ():
                if len(row.cells) != len(sheet.heads if sheet else ()):
                    yield (
                        "board/narration.py",
                        f"draw_up: a row of {len(row.cells)} cells below {len(sheet.heads if sheet else ())} heads",
                    )


def _find_trait_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    known = {trait.id: trait for trait in package.traits.traits}
    for playout in playouts(package):
        points = [
            PastPoint(point.state, point.steps, after)
            for point, after in zip(playout.points, playout.states()[1:], strict=True)
        ]
        for tallies in package.traits.count(playout.configuration.seats, points):
            for trait, (amount, of) in tallies.items():
                if trait not in known:
                    yield "traits.py", f"TRAITS: count gives {trait!r}, which no trait has as its id"
                elif known[trait].is_share and not 0 <= amount <= of:
                    yield "traits.py", f"TRAITS: {trait!r} is a share, but {amount:g} of {of:g} were counted"


def _boards(package: GamePackage, state: Any, steps: tuple[Step, ...], seats: int) -> Iterator[str]:  # noqa: ANN401 - each game has its own state
    """Draw a position for each kind of onlooker, in both languages."""
    game, names = package.game.id, [f"bot-{seat}" for seat in range(seats)]
    yield draw_board(open_scene(game, state, names, after=steps))
    yield draw_board(seat_scene_of(game, state, 0, names, after=steps), "es")
    if package.drawing is not None:
        yield draw_board(public_scene(game, state, names, after=steps))


def _find_board_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    symbols = set(re.findall(r'id="([\w-]+)"', pieces(package.game.id)))
    for playout in playouts(package):
        shown = [(playout.points[at].state, playout.points[max(at - 1, 0)].steps) for at in sample(playout)]
        for state, steps in [*shown, (playout.last, playout.points[-1].steps)]:
            for board in _boards(package, state, steps, playout.configuration.seats):
                for symbol in sorted(set(re.findall(r'href="#([\w-]+)"', board)) - symbols):
                    yield "board/pieces.svg", f"has no symbol {symbol!r}, which the board refers to"
                plain, packed = len(board.encode()), len(gzip.compress(board.encode()))
                if plain > MAX_BOARD_BYTES or packed > MAX_PACKED_BOARD_BYTES:
                    yield (
                        "board/board.html",
                        f"a board of more than {MAX_BOARD_BYTES} bytes, or {MAX_PACKED_BOARD_BYTES} compressed: {plain} and {packed}",
                    )
                if "style=" in board:
                    yield "board/board.html", "has styles of its own; they must be in board.css"


PARTS = (
    _find_phrase_gaps,
    _find_talk_gaps,
    _find_narration_gaps,
    _find_trait_gaps,
    _find_board_gaps,
)
"""The parts of the check: each takes a game, and yields the file and what is wrong there."""

"""What random matches of a game show: whether its parts agree, what has no words, what gives something away."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from arena.core.translatable import Wording
from arena.devtools.golden_matches import golden_matches, play_golden
from arena.devtools.leak_check import told
from arena.games.kernel import Chance, Choice, DummyPlayed, Step, Talk
from arena.games.package import GamePackage
from arena.games.playouts import Playout, configurations, play
from arena.games.traits import PastPoint
from arena.games.twins import Twin
from arena.web.boards import action_words, draw, open_scene, pieces, public_scene, seat_scene_of

_SEED = bytes(range(32))
_POINTS = 12
"""Positions of each match that are looked at closely."""
_TWINS = 25
_MAX_VIEW_BYTES = 4096


def _playouts(package: GamePackage) -> Iterator[Playout]:
    for configuration in configurations(package.game):
        yield play(configuration, _SEED, random.Random(7))


def _sample(playout: Playout) -> list[int]:
    """Choose some points of a match, the first among them."""
    count = len(playout.points)
    return sorted({0, *random.Random(1).sample(range(count), min(_POINTS, count))})


def _find_rule_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game = package.game
    for playout in _playouts(package):
        for at in _sample(playout):
            point = playout.points[at]
            game.check(point.state, point.answers)
            if game.apply(point.state, point.answers) != game.apply(point.state, point.answers):
                yield "rules.py", f"{playout.configuration}: apply gives two results for equal arguments"
        if playout.states() != play(playout.configuration, _SEED, random.Random(7)).states():
            yield "rules.py", f"{playout.configuration}: the same seed and answers give another match"
        if game.result(playout.last) is None:
            yield "rules.py", f"{playout.configuration}: no decision is open, yet there is no result"


def _find_codec_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    for playout in _playouts(package):
        for state in playout.states():
            for seat in range(playout.configuration.seats):
                view = package.game.view(state, seat)
                data = package.codec.encode(view)
                if package.codec.decode(data) != view:
                    yield "codec.py", f"{playout.configuration}: a view does not come back from its message"
                if len(data) > _MAX_VIEW_BYTES:
                    yield "codec.py", f"a view of {len(data)} bytes: at most {_MAX_VIEW_BYTES} are allowed"


def _find_sampler_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game = package.game
    for playout in _playouts(package):
        setup = playout.configuration.setup()
        for at in _sample(playout):
            point = playout.points[at]
            steps = [*playout.opening, *(step for each in playout.points[:at] for step in each.steps)]
            for seat in [each.seat for each in point.decisions if isinstance(each, Choice)]:
                history = tuple(seen for step in steps if (seen := game.seen(step, seat)) is not None)
                view = game.view(point.state, seat)
                drawn = package.sampler.sample(setup, view, history, seat, random.Random(at))
                if game.view(drawn, seat) != view or game.legal(drawn, seat) != game.legal(point.state, seat):
                    yield (
                        "sampler.py",
                        f"{playout.configuration}: a position drawn is not what the seat knows",
                    )


def _find_phrase_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game, phrases = package.game, package.phrases
    for playout in _playouts(package):
        actions = {
            action
            for point in playout.points
            for decision in point.decisions
            if isinstance(decision, Choice)
            for action in game.legal(point.state, decision.seat)
        }
        actions |= {step.action for step in playout.steps() if isinstance(step, DummyPlayed)}
        for action in sorted(actions):
            pattern = " ".join([action.split()[0], *["_"] * (len(action.split()) - 1)])
            if not isinstance(action_words.action(game.id, action), Wording):
                yield "board/phrases.py", f"actions: {pattern!r} has no words (such as {action!r})"
            if action not in phrases.verbs and action.split()[0] not in phrases.verbs:
                yield "board/phrases.py", f"verbs: {action.split()[0]!r} has no words"
        for name in sorted({step.name for step in playout.steps() if isinstance(step, Chance)} - {"deal"}):
            if name not in phrases.chance:
                yield "board/phrases.py", f"chance: {name!r} has no words"


def _find_talk_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    phrases = package.phrases
    for playout in _playouts(package):
        for talk in {each for point in playout.points for each in point.decisions if isinstance(each, Talk)}:
            for kind in talk.limits.kinds:
                if kind not in phrases.claims or kind not in phrases.claim_verbs:
                    yield "board/phrases.py", f"claims and claim_verbs: {kind!r} has no words"
            for when in talk.limits.whens:
                if when not in phrases.whens:
                    yield "board/phrases.py", f"whens: {when!r} has no words"


def _find_trait_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    known = {trait.id: trait for trait in package.traits.traits}
    for playout in _playouts(package):
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
    yield draw(open_scene(game, state, names, after=steps))
    yield draw(seat_scene_of(game, state, 0, names, after=steps), "es")
    if package.drawing is not None:
        yield draw(public_scene(game, state, names, after=steps))


def _find_board_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    symbols = set(re.findall(r'id="([\w-]+)"', pieces(package.game.id)))
    for playout in _playouts(package):
        shown = [(playout.points[at].state, playout.points[max(at - 1, 0)].steps) for at in _sample(playout)]
        for state, steps in [*shown, (playout.last, playout.points[-1].steps)]:
            for board in _boards(package, state, steps, playout.configuration.seats):
                for symbol in sorted(set(re.findall(r'href="#([\w-]+)"', board)) - symbols):
                    yield "board/pieces.svg", f"has no symbol {symbol!r}, which the board refers to"
                if "style=" in board:
                    yield "board/board.html", "has styles of its own; they must be in board.css"


def _find_leaks(package: GamePackage) -> Iterator[tuple[str, str]]:
    checks, game = package.checks, package.game
    if checks is None:
        return
    if checks.twins is None:
        yield from _find_hidden(package)
        return
    for number in range(_TWINS):
        chooser = random.Random(number)
        seat = number % max(seats for counts in game.variants.values() for seats in counts)
        true, twin = checks.twins(chooser, seat, chooser.random())
        if told(game, package.codec.encode, seat, true) != told(game, package.codec.encode, seat, twin):
            yield "rules.py", f"view, legal or seen tells seat {seat} of {true.seats} what is hidden from it"
        if _drawn_for(package, seat, true) != _drawn_for(package, seat, twin):
            yield "board/drawing.py", f"mask or details show seat {seat} or the public what is hidden"


def _find_hidden(package: GamePackage) -> Iterator[tuple[str, str]]:
    """Look for what is hidden in a game that says that nothing is."""
    for playout in _playouts(package):
        for step in playout.steps():
            seats = (None, *range(playout.configuration.seats))
            if any(package.game.seen(step, seat) != step for seat in seats):
                yield "checks/__init__.py", "twins is None, yet seen hides something"


def _drawn_for(package: GamePackage, seat: int, match: Twin) -> list[str]:
    game, names = package.game.id, [f"bot-{number}" for number in range(match.seats)]
    boards: list[str] = [draw(seat_scene_of(game, match.state, seat, names, after=match.steps[-2:]))]
    if package.drawing is not None:
        boards.append(draw(public_scene(game, match.state, names, after=match.steps[-2:])))
    return boards


def _find_deck_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    checks = package.checks
    if checks is None or checks.cards is None:
        return
    for playout in _playouts(package):
        if any(
            list(checks.cards(playout.points[at].state)) != sorted(checks.deck) for at in _sample(playout)
        ):
            yield "rules.py", f"{playout.configuration}: not every card of the deck lies somewhere once"


def _find_golden_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    if package.checks is None:
        return
    again = f"arena game golden {package.game.id} writes it"
    names = set()
    for match in golden_matches(package.game, package.checks):
        names.add(match.name)
        path = package.golden / f"{match.name}.json"
        if not path.is_file():
            yield f"checks/golden/{path.name}", f"is missing: {again}"
        elif path.read_text(encoding="utf-8") != play_golden(match):
            yield f"checks/golden/{path.name}", f"is played otherwise now; if that is meant, {again} again"
    for path in sorted(package.golden.glob("*.json")):
        if path.stem not in names:
            yield f"checks/golden/{path.name}", "is of no variant and seat count that there is"


PARTS = (
    _find_rule_gaps,
    _find_codec_gaps,
    _find_sampler_gaps,
    _find_phrase_gaps,
    _find_talk_gaps,
    _find_trait_gaps,
    _find_board_gaps,
    _find_leaks,
    _find_deck_gaps,
    _find_golden_gaps,
)
"""The parts of the check: each takes a game, and yields the file and what is wrong there."""

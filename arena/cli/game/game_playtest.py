"""Faults that random matches of a game show: whether its parts agree, what has no words, what gives something away."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena.devtools.golden_matches import golden_matches, play_golden
from arena.devtools.leak_check import told
from arena.games.checks import MAX_VIEW_BYTES
from arena.games.encoding import Encoding
from arena.games.kernel import Action, Choice
from arena.games.package import GamePackage
from arena.games.playouts import Playout, configurations, play
from arena.games.twins import Twin
from arena.web.boards import draw_board, public_scene, seat_scene_of

_SEED = bytes(range(32))
_POINTS = 12
"""Positions of each match that are looked at closely."""
_TWINS = 25


def playouts(package: GamePackage) -> Iterator[Playout]:
    """Play a match at random of each configuration."""
    for configuration in configurations(package.game):
        yield play(configuration, _SEED, random.Random(7))


def sample(playout: Playout) -> list[int]:
    """Choose some points of a match, the first among them."""
    count = len(playout.points)
    return sorted({0, *random.Random(1).sample(range(count), min(_POINTS, count))})


def legal_actions(package: GamePackage, playout: Playout) -> set[Action]:
    """Return all actions that were legal in a match."""
    return {
        action
        for point in playout.points
        for decision in point.decisions
        if isinstance(decision, Choice)
        for action in package.game.legal(point.state, decision.seat)
    }


def _find_rule_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game = package.game
    for playout in playouts(package):
        for at in sample(playout):
            point = playout.points[at]
            game.check(point.state, point.answers)
            if game.apply(point.state, point.answers) != game.apply(point.state, point.answers):
                yield "rules.py", f"{playout.configuration}: apply gives two results for equal arguments"
        if playout.states() != play(playout.configuration, _SEED, random.Random(7)).states():
            yield "rules.py", f"{playout.configuration}: the same seed and answers give another match"
        if game.result(playout.last) is None:
            yield "rules.py", f"{playout.configuration}: no decision is open, yet there is no result"


def _find_codec_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    for playout in playouts(package):
        for state in playout.states():
            for seat in range(playout.configuration.seats):
                view = package.game.view(state, seat)
                data = package.codec.encode(view)
                if package.codec.decode(data) != view:
                    yield "codec.py", f"{playout.configuration}: a view does not come back from its message"
                if len(data) > MAX_VIEW_BYTES:
                    yield "codec.py", f"a view of {len(data)} bytes: at most {MAX_VIEW_BYTES} are allowed"


def _findsampler_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    game = package.game
    for playout in playouts(package):
        setup = playout.configuration.setup()
        for at in sample(playout):
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


def _find_encoding_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    """Put whole matches into numbers."""
    encoding = package.encoding
    if encoding is None:
        return
    actions = frozenset(encoding.ACTIONS)
    if len(actions) != len(encoding.ACTIONS):
        yield "encoding.py", "ACTIONS: an action has two numbers"
    for playout in playouts(package):
        for action in sorted(legal_actions(package, playout) - actions):
            yield "encoding.py", f"ACTIONS: has no number for {action!r}, which is legal"
        yield from _find_row_gaps(package, encoding, playout)


def _find_row_gaps(package: GamePackage, encoding: Encoding, playout: Playout) -> Iterator[tuple[str, str]]:
    seats, length = playout.configuration.seats, sum(encoding.PARTS.values())
    for state in [*(playout.points[at].state for at in sample(playout)), playout.last]:
        for seat in range(seats):
            row = encoding.encode(package.game.view(state, seat), seat, seats)
            if len(row) != length:
                yield "encoding.py", f"PARTS: add up to {length}, but a row has {len(row)} numbers"
            elif not -1 <= min(row) <= max(row) <= 1:
                yield "encoding.py", f"a row has {max(row, key=abs):g}: numbers must be from -1 to 1"


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
    for playout in playouts(package):
        for step in playout.steps():
            seats = (None, *range(playout.configuration.seats))
            if any(package.game.seen(step, seat) != step for seat in seats):
                yield "checks/__init__.py", "twins is None, yet seen hides something"


def _drawn_for(package: GamePackage, seat: int, match: Twin) -> list[str]:
    game, names = package.game.id, [f"bot-{number}" for number in range(match.seats)]
    boards: list[str] = [draw_board(seat_scene_of(game, match.state, seat, names, after=match.steps[-2:]))]
    if package.drawing is not None:
        boards.append(draw_board(public_scene(game, match.state, names, after=match.steps[-2:])))
    return boards


def _find_deck_gaps(package: GamePackage) -> Iterator[tuple[str, str]]:
    checks = package.checks
    if checks is None or checks.cards is None:
        return
    for playout in playouts(package):
        if any(list(checks.cards(playout.points[at].state)) != sorted(checks.deck) for at in sample(playout)):
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
    _findsampler_gaps,
    _find_encoding_gaps,
    _find_leaks,
    _find_deck_gaps,
    _find_golden_gaps,
)
"""The parts of the check: each takes a game, and yields the file and what is wrong there."""

"""Teotlatolli: the public position, the turns, and the last place of each sign."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.drawing import Details, Drawing, Scene, Table, Titles, Views, any_view
from arena.games.kernel import Played
from arena.games.teotlatolli.board.gods import GODS
from arena.games.teotlatolli.view import TeotlatolliView


def _mask(views: Views) -> Table:
    view: TeotlatolliView = any_view(views)
    held = ((len(view.hand),), (view.opponent_hand,))
    # A seat infers from its own hand what must be in the other: that is not public.
    blank = view._replace(hand=(), opponent_hand=0, opponent_known=())
    return Table(blank, held[::-1] if views.index(view) else held, ((), ()))


def _titles(view: TeotlatolliView) -> Titles:
    gods = " : ".join([str(len(each)) for each in view.completed])
    return say("Gods {n}", n=gods), say("Turn {n}", n=view.turn + 1)


def _details(scene: Scene) -> Details:
    """Return who put which sign to which god last, and the gods' names."""
    for step in scene.after:
        if isinstance(step, Played):
            words = step.action.split()
            if len(words) > 2:
                return {"by": step.seat, "touched": words[1], "target": words[-1], "gods": GODS}
    return {"by": None, "touched": None, "target": None, "gods": GODS}


def _scores(view: TeotlatolliView) -> tuple[int, ...]:
    return tuple(len(gods) for gods in view.completed)


DRAWING = Drawing(mask=_mask, titles=_titles, details=_details, scores=_scores)

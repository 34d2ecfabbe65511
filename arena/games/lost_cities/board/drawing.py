"""Lost Cities: the public position, the turns of a hand, and the value of the expeditions."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.drawing import Details, Drawing, Scene, Table, Titles, Views, any_view
from arena.games.kernel import Played
from arena.games.lost_cities.rules import score_expedition
from arena.games.lost_cities.state import CARDS
from arena.games.lost_cities.view import LostCitiesView

_CARDS = 60


def _mask(views: Views) -> Table:
    view: LostCitiesView = any_view(views)
    seat = views.index(view)
    lying = sum(len(pile) for piles in (*view.expeditions, view.discards) for pile in piles)
    other = _CARDS - lying - view.draw_pile - len(view.hand)
    held = ((other,), (len(view.hand),)) if seat else ((len(view.hand),), (other,))
    known = tuple(each.opponent_known if each is not None else () for each in reversed(views))
    return Table(view._replace(hand=(), opponent_known=()), held, known)


def _titles(view: LostCitiesView) -> Titles:
    return say("Hand {n}", n=view.hand_number + 1), say("Turn {n}", n=view.turn + 1)


def weigh(view: LostCitiesView) -> list[list[int]]:
    """Return what each expedition is worth, by seat, then by colour."""
    return [
        [score_expedition(tuple([CARDS[name] for name in pile])) for pile in piles]
        for piles in view.expeditions
    ]


def _scores(view: LostCitiesView) -> tuple[int, ...]:
    """Return the totals with what the expeditions are worth now."""
    return tuple(total + sum(worth) for total, worth in zip(view.totals, weigh(view), strict=True))


def _details(scene: Scene) -> Details:
    """Return what each expedition is worth, the sum of each seat's, and what was done last."""
    worth = weigh(scene.table.view)
    done = next(((step.seat, step.action) for step in scene.after if isinstance(step, Played)), None)
    return {"worth": worth, "standing": [sum(each) for each in worth], "done": done}


DRAWING = Drawing(mask=_mask, titles=_titles, details=_details, scores=_scores)

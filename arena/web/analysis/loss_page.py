"""The page of a bot's losses: where its chances went, and its costliest decisions with the board at each.

Boards are drawn from what the seat knew: hidden cards of the others are nowhere in the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from arena.analysis import Loss, costliest, sum_up
from arena.analysis.loss_search import Found
from arena.analysis.past_decisions import PHASES
from arena.analysis.summary import open_rivals
from arena.core.notes import Notes
from arena.core.translatable import mark
from arena.games.kernel import Action
from arena.match.seat_notes import SeatNotes
from arena.web.boards import action_words, draw, draw_bar, pieces, seat_scene, sign_key
from arena.web.http.security_headers import FILE_POLICY
from arena.web.ui import static_assets
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import fragment

_SHEETS = ("tokens.css", "layout.css", "components.css", "loss_page.css")
_MAX_REPLIES = 4
_QUANTILE = 1.96
_PHASES = dict(zip(PHASES, (mark("Opening"), mark("Middle game"), mark("Endgame")), strict=True))
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Choice:
    """An action in words and in notation, with what it would have gained: shares, errors as half widths of 95 % intervals."""

    words: str
    notation: Action
    gain: float
    error: float


@dataclass(frozen=True, slots=True)
class _Decision:
    """One of the costliest decisions, with its board."""

    loss: Loss
    error: float
    chosen: str
    better: tuple[_Choice, ...]
    bar: Markup
    board: Markup
    rivals: tuple[str, ...] | None
    """The other decisions of the match that may be its costliest, as MATCH:STEP; None where that is certain."""
    noted: Notes | None
    """The note that the bot sent with its answer."""


def draw_page(
    found: Sequence[Found],
    language: str = "en",
    notes: Mapping[str, Mapping[int, SeatNotes]] = MappingProxyType({}),
) -> str:
    """Draw the page; it must have at least one decision.  `notes` are what bots noted, by match and seat.

    Raises KeyError for a language that is not in LANGUAGES.
    """
    losses = [loss for each in found for loss in each.losses]
    games = sorted({loss.decision.seen.game.id for loss in losses})
    rivals = open_rivals(found)
    page = fragment(
        "loss_page.html",
        language,
        policy=FILE_POLICY,
        styles=_styles(games),
        titles=[TITLES[game] for game in games],
        bots=sorted({loss.decision.bot for loss in losses}),
        matches=len(found),
        decisions=len(losses),
        uncertain=sum(not each.certain for each in found),
        groups={by: _rows(losses, by) for by in ("part", "phase", "opponents", "kind")},
        costliest=[_decide(loss, language, rivals, _noted(loss, notes)) for loss in costliest(losses)],
        pieces=Markup().join(pieces(game) for game in games),
        keys=Markup().join(sign_key(game, language) for game in games),
    )
    return f"<!doctype html>\n{page}"


def _rows(losses: Sequence[Loss], by: str) -> list[dict[str, Any]]:
    """Return the groups as the template shows them, with the length of each bar as a share of the longest."""
    groups = sum_up(losses, by)
    longest = max((group.per_match for group in groups), default=0.0) or 1.0
    titles = _PHASES if by == "phase" else {each.decision.part: each.decision.part for each in losses}
    return [
        {
            "name": group.name,
            "title": titles.get(group.name) if by in ("part", "phase") else None,
            "decisions": group.decisions,
            "lost": group.per_match,
            "error": _QUANTILE * group.error / group.matches,
            "bar": max(0.0, group.per_match) / longest,
        }
        for group in groups
    ]


def _noted(loss: Loss, notes: Mapping[str, Mapping[int, SeatNotes]]) -> Notes | None:
    of_seat = notes.get(loss.decision.match, {}).get(loss.decision.seat)
    return None if of_seat is None else dict(of_seat.steps).get(loss.decision.step)


def _decide(
    loss: Loss, language: str, rivals: Mapping[str, tuple[str, ...]], noted: Notes | None
) -> _Decision:
    decision = loss.decision
    seen, game = decision.seen, decision.seen.game.id
    scene = seat_scene(
        game,
        seen.view,
        seen.seat,
        decision.bots,
        acting=(seen.seat,),
        legal=seen.legal,
        chosen=decision.chosen,
    )
    better = tuple(
        _Choice(action_words.action(game, reply.action), reply.action, reply.gain, _QUANTILE * reply.error)
        for reply in loss.replies[:_MAX_REPLIES]
        if reply.gain > 0
    )
    return _Decision(
        loss=loss,
        error=_QUANTILE * loss.error,
        chosen=action_words.action(game, decision.chosen),
        better=better,
        bar=draw_bar(scene, language),
        board=draw(scene, language, below_bar=True),
        rivals=rivals.get(decision.reference),
        noted=noted,
    )


def _styles(games: Sequence[str]) -> Markup:
    """Return the text of all style sheets of the page, in order, to be embedded in it."""
    paths = [*(static_assets.address(name) for name in _SHEETS), *static_assets.board_sheets(*games)]
    found = [static_assets.find(path) for path in paths]
    text = "\n".join(each.body.decode() for each in found if each is not None)
    return Markup(_COMMENT.sub("", text))  # noqa: S704 - our own style sheets

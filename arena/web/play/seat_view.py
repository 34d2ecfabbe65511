"""A table as its person sees it: what the template, and the JSON twin, show of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from arena.core.translatable import say
from arena.games import registry
from arena.games.kernel import Chance, Played, TalkLimits
from arena.web import boards
from arena.web.boards import action_words
from arena.web.matches import stepper
from arena.web.matches.stepper import Course
from arena.web.play import play_forms
from arena.web.play.human_game import HumanGame
from arena.web.ui.languages import catalogue, mark
from arena.web.ui.templating import fragment

_LISTED = 120
"""The most steps that a page lists."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that the seat has seen: the acting seat (None for chance) and its words.

    It is fresh if it has happened since the person's last turn.  `subject` comes before the words.
    """

    seat: int | None
    subject: str
    text: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """A legal action, in notation and in words."""

    action: str
    text: str


@lru_cache
def _you(language: str) -> str:
    return catalogue(language).gettext(mark("you"))


@lru_cache(maxsize=16)
def course(table: HumanGame, language: str) -> Course:
    """Return the replay of a finished match, made once while it is stepped through."""
    assert table.record is not None  # noqa: S101 - the callers have looked
    seats = list(table.record.seats)
    seats[table.seat] = replace(seats[table.seat], bot=catalogue(language).gettext(mark("You")))
    record = replace(table.record, seats=tuple(seats))
    return stepper.course(record, table.wish.time, f"/play/{table.id}", you=table.seat)


def draw_seat(table: HumanGame, language: str) -> Markup:
    """Draw the part of the page that changes."""
    return fragment("play_seat.html", language, **seat(table, language))


def seat(table: HumanGame, language: str) -> dict[str, Any]:
    """Return what the part of the page that changes shows."""
    asked, names = table.asked, _names(table, language)
    return {
        "table": table,
        "game": registry.find(table.wish.game),
        "names": names,
        "board": _board(table, language),
        "asked": asked,
        "task": action_words.task(table.wish.game, table.view, table.seat, asked.legal) if asked else "",
        "resigning": resigning(table),
        "offered": [
            Offered(each, action_words.action(table.wish.game, each))
            for each in (asked.legal if asked else ())
        ],
        "clock": table.clock,
        "events": _events(table, names),
        "lines": _lines(table, names) if asked and asked.limits else (),
        "claims": _claims(table, asked.limits) if asked and asked.limits else None,
    }


def ended(table: HumanGame, played: Course) -> dict[str, Any]:
    """Return what the page of a match that is over shows around its steps."""
    last = boards.open_scene(played.game, played.replay.points[-1].state, played.names)
    return {
        "table": table,
        "game": registry.find(table.wish.game),
        "who": played.names,
        "scores": boards.scores(last),
    }


def resigning(table: HumanGame) -> str:
    """Ask whether the person resigns, and say what comes of it."""
    others = [name for seat, name in enumerate(table.names) if seat != table.seat]
    if len(others) == 1:
        return say("Resign? {name} wins.", name=others[0])
    return say("Resign? You finish last.")


def _names(table: HumanGame, language: str) -> tuple[str, ...]:
    return tuple(_you(language) if seat == table.seat else name for seat, name in enumerate(table.names))


def _events(table: HumanGame, names: Sequence[str]) -> list[Event]:
    """List what the seat has seen, the latest first."""
    numbered, fresh = list(enumerate(table.history))[-_LISTED:], table.fresh
    events = []
    for number, step in reversed(numbered):
        who, text = action_words.step(table.wish.game, step, names)
        subject = "" if who is None else f"{names[who]}:"
        if isinstance(step, Played):
            own = who == table.seat
            done = action_words.done(table.wish.game, step.action, yours=own)
            if done is not None:
                subject, text = "" if own else names[step.seat], done
        events.append(Event(who, subject, text, fresh=number >= fresh and who != table.seat))
    return events


def _board(table: HumanGame, language: str) -> Markup | None:
    """Draw the position that the seat was last sent."""
    if table.view is None:
        return None
    asked = table.asked
    scene = boards.seat_scene(
        table.wish.game,
        table.view,
        table.seat,
        _names(table, language),
        acting=(table.seat,) if asked else (),
        after=_last_of_each(table),
        said=table.said,
        legal=asked.legal if asked else (),
        answerable=table.live,
    )
    return boards.draw(scene, language)


def _last_of_each(table: HumanGame) -> list[Played]:
    """Return what each seat did last, the latest first."""
    last: dict[int, Played] = {}
    for step in reversed(table.history):
        if isinstance(step, Played):
            last.setdefault(step.seat, step)
        elif isinstance(step, Chance):
            break
    return list(last.values())


def _lines(table: HumanGame, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the claims of one click, as the form sends them, and their words."""
    found = action_words.one_click_lines(table.wish.game, table.view, table.seat, names)
    return [(play_forms.write_claim(claim), words) for claim, words in found]


def _claims(table: HumanGame, limits: TalkLimits) -> dict[str, Any]:
    """Return what a claim may be made of."""
    game = table.wish.game
    return {
        "most": limits.max_claims,
        "kinds": limits.kinds,
        "votes": [(vote, action_words.name(game, vote)) for vote in limits.votes],
        "whens": [(when, action_words.time_of_claim(game, when)) for when in limits.whens],
    }

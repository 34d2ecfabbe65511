"""A person's request for a match: game, seats, opponents, time; checked before a bot is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.core.errors import Refusal, UsageError
from arena.core.translatable import mark, say
from arena.games import registry
from arena.match.clock import TimeControl
from arena.web.play.opponents import HouseOpponent

if TYPE_CHECKING:
    from arena.games.kernel import Setup

_TALK_MS = 120_000


def _pace(base_s: int, increment_s: int) -> TimeControl:
    """Return a time control for people: a single decision may take all that is in the bank."""
    return TimeControl(base_s * 1000, increment_s * 1000, base_s * 1000, _TALK_MS)


PACES: Mapping[str, tuple[str, TimeControl]] = {
    "calm": (mark("10 minutes + 10 seconds a decision"), _pace(600, 10)),
    "slow": (mark("30 minutes + 30 seconds a decision"), _pace(1800, 30)),
    "quick": (mark("2 minutes + 5 seconds a decision"), _pace(120, 5)),
}
"""By its name: what it is in words, and the time control.  There is no match without a clock."""

QUICK: Mapping[str, Mapping[str, int]] = {"lifeboats": {"dealt": 1}}
"""Options that people begin with where the standard ones make the beginning long, by game."""

STANDARD_PACE = next(iter(PACES))


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A match that a person wants; `opponents` are in seat order, the person's own seat left out."""

    game: str
    variant: str
    seat: int
    opponents: tuple[HouseOpponent, ...]
    options: Mapping[str, int] = field(default_factory=dict)
    pace: str = STANDARD_PACE
    talks: bool = False

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.opponents) + 1

    @property
    def time(self) -> TimeControl:
        """The clock of every seat."""
        return PACES[self.pace][1]


def check(
    known: Sequence[HouseOpponent],
    *,
    game: str,
    variant: str | None,
    seat: int,
    names: Sequence[str],
    options: Mapping[str, int],
    pace: str,
    talks: bool,
) -> GameRequest:
    """Check a wish against the game and its house bots; `names` are in seat order.  Raises Refusal."""
    rules = registry.find(game)
    setup = _setup(game, variant, len(names) + 1, options)
    if not 0 <= seat <= len(names):
        raise Refusal(
            "seat_unknown", say("seat {seat}: must be 0 to {last}", seat=seat, last=len(names)), field="seat"
        )
    if pace not in PACES:
        raise Refusal(
            "pace_unknown",
            say("pace {pace!r}: must be one of {paces}", pace=pace[:40], paces=", ".join(PACES)),
            field="pace",
        )
    by_name = {each.name: each for each in known}
    for name in names:
        if name not in by_name:
            has = ", ".join(by_name) or say("no house bots yet; `arena up` adds them")
            words = say("opponent {name!r}: {game} has {has}", name=name[:80], game=game, has=has)
            raise Refusal("bot_unknown", words, field="opponents")
    return GameRequest(
        game,
        setup.variant,
        seat,
        tuple(by_name[name] for name in names),
        {name: value for name, value in setup.options.items() if name in options},
        pace,
        talks and rules.has_talk,
    )


def _setup(game: str, variant: str | None, seats: int, options: Mapping[str, int]) -> Setup:
    rules = registry.find(game)
    try:
        return rules.setup(seats, variant=variant, options=options)
    except UsageError as error:
        raise Refusal("not_playable", str(error), field=_field(str(error))) from error


def _field(message: str) -> str:
    """Return the field that a message of `Game.setup` is about: an option by its name."""
    field, word = (*message.split(" ", 2), "")[:2]
    if field == "option":
        return word.partition("=")[0].strip("':")
    return "opponents" if field == "seats" else field

"""The search for the puzzles of a day: positions with one clearly best choice that the house bot `greedy` does not find.

    matches of strong bots, in an order drawn by the day ──▶ decisions in which greedy would play otherwise
        ──▶ few rollouts: is one choice well above the others? ──▶ many rollouts, stored: is it still? ──▶ settled

The matches are those that were open when the day began (UTC); on an arena's first day, those of the first search that has
enough.  So each day's puzzle follows from stored matches.  A job searches for a few seconds, and the next one goes on from there.
If no match has such a position, the one that came closest is taken.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from datetime import time as time_of_day
from hashlib import sha256
from itertools import pairwise
from math import hypot
from random import Random
from typing import Any, cast

from arena.competition.matches import stored_records
from arena.competition.matches.outcomes import FAULT_END
from arena.core.errors import ArenaError
from arena.games import registry
from arena.games.kernel import Action, Choice
from arena.match.chances import Policy
from arena.match.choice_chances import ChoiceEstimate, SeenChoice, estimate_seen, see_choice
from arena.match.record import Record, from_json
from arena.match.replay import ReplayedPoint, replay
from arena.rankings import public_ratings
from arena.ratings.model import MEAN_ELO
from arena.reports.insights import match_strengths, stored_chances, watchable_matches
from arena.reports.insights.insight import Insight, Tick
from arena.reports.insights.stored_chances import ChoiceKey
from arena.reports.match_details import MatchRow
from arena.reports.puzzles import puzzle_answers, stored_puzzles
from arena.reports.puzzles.stored_puzzles import BotChoice
from arena.rl.house_opponents import load_bot
from arena.sdk.bot import Clock, Decision, Match
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import DailyPuzzle

GAP = 0.05
"""Least distance of the best choice to the second, as a chance to win."""
_GREEDY = "greedy"
_NO_STYLE = ("random", "search")
"""House bots that show nothing about a position: one does not think, the other is what it is measured by."""
_FEW = 10
"""Matches that the first day of an arena must have before the search begins."""
_PERIOD_S = 300.0
"""Interval at which a young arena is looked at for enough matches."""
_MIDDLE = (0.15, 0.95)
_CHOICES = 3
"""The fewest legal actions of a decision that is worth asking for."""
_DECISIONS = 4
"""Decisions of a match that are tried."""
_QUICK_WORK = 30_000
_MOST_S = 3.0
"""Seconds after which no further match is begun: a block may be waiting for the worker."""
_CLOCK = Clock(10_000, 10_000)


@dataclass(frozen=True, slots=True)
class Position:
    """A decision of a match, with what its seat knew."""

    point: int
    seat: int
    seen: SeenChoice


def games() -> tuple[str, ...]:
    """Return the games that have puzzles: those whose positions can be played on, and that `greedy` plays."""
    return tuple(
        game
        for game in registry.GAMES
        if registry.package(game).search_plan is not None and _GREEDY in registry.package(game).house_bots
    )


def search(store: Store, now: float, tick: Tick = lambda: None) -> int:
    """Search on for the puzzles of today; return how many matches were searched.

    `now` is in seconds since the epoch.  `tick` is called between parts of the work; what it raises ends it.
    """
    day = stored_puzzles.day_of(now)
    if stored_puzzles.is_settled(store, day, games()):
        return 0
    ends_at = time.monotonic() + _MOST_S
    tried = 0
    for game in sorted(games(), key=lambda game: _rank(day, game)):
        row = _begin(store, day, game, now)
        while row is not None and not row.settled and time.monotonic() < ends_at:
            row = _try_next(store, day, row, tick)
            tried += 1
    return tried


def is_clear(estimates: Sequence[ChoiceEstimate]) -> bool:
    """Return whether one choice is clearly the best."""
    best, second = sorted(estimates, key=lambda each: -each.share)[:2]
    return best.share - second.share >= max(GAP, hypot(best.error, second.error))


def _begin(store: Store, day: date, game: str, now: float) -> DailyPuzzle | None:
    """Return the row of a puzzle, new if there is none; None if there are too few matches to search."""
    with store.read() as session:
        row = session.get(DailyPuzzle, (str(day), game))
    if row is not None:
        return row
    moment = datetime.combine(day, time_of_day(), UTC).timestamp()
    if not any(row.game == game for row in _open_at(store, moment)):
        moment = now // _PERIOD_S * _PERIOD_S
        if len(candidates(store, day, game, moment)) < _FEW:
            return None
    row = DailyPuzzle(day=str(day), game=game, chosen_at=moment, tried=0, settled=False, gap=0.0)
    _save(store, row)
    return row


def _try_next(store: Store, day: date, row: DailyPuzzle, tick: Tick) -> DailyPuzzle:
    """Search the next match for a puzzle; without one left, settle for the position that came closest."""
    found = candidates(store, day, row.game, row.chosen_at)
    if row.tried < len(found):
        match = found[row.tried]
        record = _record_of(store, match)
        for position in () if record is None else positions(record, match.id):
            tick()
            if record is not None and _is_promising(record, position):
                _judge(store, row, record, match, position, tick)
                if row.settled:
                    break
        row.tried += 1
    else:
        row.settled = True
    _save(store, row)
    return row


def _judge(
    store: Store, row: DailyPuzzle, record: Record, match: MatchRow, position: Position, tick: Tick
) -> None:
    """Have the row name a position if no other has come as close, and settle it if its best choice is clear."""
    key = ChoiceKey(*match.key, position.point, position.seat)
    stored_chances.OF_CHOICES.derive(store, tick, *key)
    estimates = stored_chances.OF_CHOICES.load(store, *key)
    if not estimates:
        return
    best, gap = _best(estimates)
    if gap <= row.gap or _choose(_GREEDY, record, position) == best:
        return
    row.tournament_id, row.set_number, row.match_number, row.point, row.seat = key
    row.gap = gap
    row.bots = stored_puzzles.write_bots(ask_bots(store, record, position))
    row.settled = is_clear(estimates)


def _best(estimates: Sequence[ChoiceEstimate]) -> tuple[Action, float]:
    first, second = sorted(estimates, key=lambda each: -each.share)[:2]
    return first.action, first.share - second.share


def _is_promising(record: Record, position: Position) -> bool:
    """Return whether few rollouts already favour a choice that `greedy` does not make."""
    game = registry.find(record.game)
    setup = game.setup(len(record.seats), variant=record.variant, options=record.options)
    chance = Random(f"puzzle/{record.match}/{position.point}/{position.seat}")
    plan: Policy = cast("Policy", registry.package(record.game).search_plan)
    best, gap = _best(estimate_seen(position.seen, setup, chance, plan, _QUICK_WORK))
    return gap >= GAP and best != _choose(_GREEDY, record, position)


def positions(record: Record, match_id: str) -> Iterator[Position]:
    """Yield some decisions of the middle of a match, in an order drawn by its id: those where `greedy` would do otherwise."""
    game, points = registry.find(record.game), list(replay(record))
    found = list(_decisions(points))
    Random(match_id).shuffle(found)
    left = _DECISIONS
    for number, at, seat, played in found:
        if not _MIDDLE[0] * len(points) <= at <= _MIDDLE[1] * len(points):
            continue
        steps = [each.step for point in points[: at + 1] for each in point.steps]
        seen = see_choice(game, points[at].state, steps, seat)
        position = Position(number, seat, seen)
        # What greedy itself played may be wrong as well; of others, what they prefer to it is the better hint.
        if len(seen.legal) < _CHOICES:
            continue
        if record.seats[seat].bot != _GREEDY and _choose(_GREEDY, record, position) == played:
            continue
        yield position
        left -= 1
        if not left:
            return


def _decisions(points: Sequence[ReplayedPoint]) -> Iterator[tuple[int, int, int, str]]:
    """Yield the number of a point as the stepper has it, its place among all, the seat that chose there, and what it chose."""
    shown = -1
    for at, (point, after) in enumerate(pairwise(points)):
        if not point.steps and at:
            continue  # a silent round of talk, which is not shown
        shown += 1
        for answer in after.answers:
            if isinstance(answer.to.decision, Choice) and answer.to.asked:
                yield shown, at, answer.to.seat, str(answer.answer)


def _choose(bot: str, record: Record, position: Position) -> Action:
    seen = position.seen
    match = Match(
        id=record.match,
        game=record.game,
        variant=record.variant,
        options=record.options,
        seat=position.seat,
        seats=len(record.seats),
        random=Random(record.match),
    )
    decision: Decision[Any] = Decision(
        match, legal=seen.legal, clock=_CLOCK, view=lambda: seen.view, history=lambda: seen.history
    )
    return load_bot(record.game, bot).choose(decision)


def ask_bots(store: Store, record: Record, position: Position) -> list[BotChoice]:
    """Return what the house bots would choose that decide by simple rules."""
    elos = public_ratings.house_elos(store, record.game)
    return [
        BotChoice(bot, _choose(bot, record, position), round(elos.get(bot, MEAN_ELO), 1))
        for bot in registry.package(record.game).house_bots
        if bot not in _NO_STYLE
    ]


def _record_of(store: Store, match: MatchRow) -> Record | None:
    packed = stored_records.load(store, match.key)
    try:
        return None if packed is None else from_json(unpack(packed))
    except ArenaError:  # its game has other rules now
        return None


def candidates(store: Store, day: date, game: str, moment: float) -> tuple[MatchRow, ...]:
    """Return the matches of a game to search, in an order drawn by the day: strong bots, all of which think."""

    def find() -> tuple[MatchRow, ...]:
        rows = [row for row in _open_at(store, moment) if row.game == game and row.end != FAULT_END]
        strengths = match_strengths.read(store, rows, moment)
        fit = [
            row
            for row in rows
            if not strengths[row.key].is_weak and not any(seat.bot == "random" for seat in row.seats)
        ]
        return tuple(sorted(fit, key=lambda row: _rank(day, row.id)))

    return store.cache.get(("puzzle matches", game), (day, moment), find)


def _open_at(store: Store, moment: float) -> list[MatchRow]:
    found: list[MatchRow] = store.cache.get(
        ("matches open at", moment), moment, lambda: watchable_matches.open_at(store, moment)
    )
    return found


def _rank(day: date, name: str) -> bytes:
    return sha256(f"{day} {name}".encode()).digest()


def _save(store: Store, row: DailyPuzzle) -> None:
    """Store a row, unless another worker has settled it."""
    with store.write() as session:
        known = session.get(DailyPuzzle, (row.day, row.game))
        if known is None or not known.settled:
            session.merge(row)
        if row.settled:
            puzzle_answers.delete_old(session, time.time())


PUZZLES = Insight("puzzles", (), lambda store, tick: search(store, time.time(), tick))

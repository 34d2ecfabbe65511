"""`arena bot analyse --fork`: finds the match and its bots, has them play on, and shows the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bot_registry.bot_names import names
from arena.cli.match.contenders import Contender, read_contender, read_contenders
from arena.cli.support.json_output import print_json
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.bot_driver import BotFailed, meet
from arena.devtools.match_fork import ForkFailed
from arena.devtools.match_fork import play_on as play_fork
from arena.devtools.record_files import make_folder, write_record
from arena.games.kernel import Played
from arena.match.clock import TimeControl
from arena.match.record import Participant, Record, to_json
from arena.match.step_reference import StepReference, read_reference


@dataclass(frozen=True, slots=True)
class Forked:
    """A match as it was, and as it was played on from a step."""

    before: Record
    step: int
    after: Record


async def play_on(
    records: Iterable[Record],
    fork: str,
    programs: Sequence[str],
    time: TimeControl,
    *,
    action: str | None,
    changed: str | None,
) -> Forked:
    """Play a match on from MATCH:STEP; the bot `changed` takes the seat whose step it is.  Raises UsageError, Diverged, ForkFailed."""
    at = read_reference(fork, "fork")
    record = next((each for each in records if each.match == at.match), None)
    if record is None:
        raise UsageError(f"fork {fork!r}: none of the records is that of match {at.match}")
    place = None if changed is None else _seat_at(record, at)
    seats = _sit_down(record, programs, place, changed)
    async with AsyncExitStack() as stack:
        partners = []
        for seat, contender in enumerate(seats):
            try:
                partners.append(await stack.enter_async_context(meet(contender.source())))
            except BotFailed as error:
                raise ForkFailed(f"seat {seat} ({contender.bot}): {error}") from error
        after = await play_fork(record, at.step, partners, time, action, changed=place)
    played = [
        replace(seat, bot=seats[number].bot, version=seats[number].version) if number == place else seat
        for number, seat in enumerate(after.seats)
    ]
    return Forked(record, at.step, replace(after, seats=tuple(played)))


def show(forked: Forked, folder: Path | None, *, as_json: bool) -> None:
    """Tell how the match ended, then and now, and write its record."""
    name = f"{forked.before.match}-from-{forked.step}"
    if folder is not None:
        make_folder(folder)
        write_record(folder, name, to_json(forked.after))
    if as_json:
        print_json(
            {
                "match": forked.before.match,
                "step": forked.step,
                "then": _step(forked.before, forked.step),
                "now": _step(forked.after, forked.step),
                "scores_then": forked.before.result.scores,
                "scores_now": forked.after.result.scores,
                "places_then": forked.before.result.places,
                "places_now": forked.after.result.places,
            }
        )
        return
    at = StepReference(forked.before.match, forked.step)
    echo(
        f"{at}: {_step(forked.after, forked.step)} instead of {_step(forked.before, forked.step)}"
        if _step(forked.after, forked.step) != _step(forked.before, forked.step)
        else f"{at}: {_step(forked.after, forked.step)}, as then"
    )
    for seat, name in enumerate(names(forked.after.seats)):
        echo(
            f"  seat {seat} ({name}): {_score(forked.after, seat)} points, place {forked.after.result.places[seat]};"
            f" then {_score(forked.before, seat)} points, place {forked.before.result.places[seat]}"
        )
    if folder is not None:
        echo(f"Record: {folder / name}.json")


def _seat_at(record: Record, at: StepReference) -> int:
    """Return whose step it is.  Raises UsageError."""
    step = record.steps[at.step].step if at.step < len(record.steps) else None
    if not isinstance(step, Played):
        raise UsageError(f"fork {str(at)!r}: no seat had a choice there, so no changed bot can take it")
    return step.seat


def _sit_down(
    record: Record, programs: Sequence[str], place: int | None, changed: str | None
) -> list[Contender]:
    """Find the bot of each seat: the changed one in its place, else among those given, or a house bot of its name.  Raises UsageError."""
    given = read_contenders(record.game, programs)
    seats = []
    for number, seat in enumerate(record.seats):
        found = _choose(given, number, seat)
        if changed is not None and number == place:
            found = read_contender(record.game, changed)
        if found is None:
            try:
                found = read_contender(record.game, seat.bot)
            except UsageError as error:
                raise UsageError(
                    f"seat {number}: where is {seat.bot}?  Give its file, folder or address with --with"
                ) from error
        seats.append(found)
    return seats


def _choose(given: Sequence[Contender], number: int, seat: Participant) -> Contender | None:
    """Return the bot for a seat: that of its name and version, else the only one of its name.  Raises UsageError."""
    named = {each.place: each for each in given if each.bot == seat.bot}
    found = [each for each in named.values() if each.version == seat.version] or list(named.values())
    if len({each.version for each in found}) > 1:
        which = " and ".join(each.label for each in found)
        raise UsageError(
            f"with: {which} have the name of seat {number}, and neither is the version that sat there, {seat.bot}@{seat.version}; leave one out, or give it with --changed"
        )
    return found[0] if found else None


def _step(record: Record, number: int) -> str:
    step = record.steps[number].step
    return step.action if isinstance(step, Played) else ""


def _score(record: Record, seat: int) -> str:
    scores = record.result.scores
    return "no" if scores is None else str(scores[seat])

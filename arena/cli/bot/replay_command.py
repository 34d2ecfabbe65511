"""`arena bot replay`: a bot asked for the decisions of a recorded match again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from arena.analysis.past_decisions import part_of
from arena.bot_registry.bot_names import names
from arena.cli.bot.record_sources import find_match, read_record
from arena.cli.match.contenders import Contender, read_contender
from arena.cli.support.game_options import time_option
from arena.cli.support.json_output import json_option, print_result
from arena.cli.support.output import echo
from arena.core.errors import ArenaError, UsageError
from arena.devtools.bot_driver import BotFailed, meet
from arena.devtools.bot_replay import Answered, AnswerFailed, ask_all
from arena.devtools.decision_trace import Moment, retrace
from arena.devtools.record_files import read_notes
from arena.games.kernel import Answer, Line, Played, Said
from arena.match.clock import TimeControl, parse_time_control
from arena.match.record import Record
from arena.match.seat_notes import SeatNotes
from arena.match.step_reference import StepReference, read_reference


class CannotReplay(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when the bot fails at one of the decisions of a match."""


@click.command("replay")
@click.argument("record", type=click.Path(path_type=Path), metavar="FILE|DIR")
@click.argument("bot", metavar="NAME")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    metavar="SEAT",
    help="The seat whose decisions are asked.  [default: that of the bot of this name]",
)
@click.option(
    "--at", metavar="MATCH:STEP", help="Only the decision that this step answers, and all there is to it."
)
@click.option(
    "--pdb", is_flag=True, help="With --at: stop in Python's debugger where the bot begins to think."
)
@click.option("--directly", is_flag=True, help="With --at: ask nothing before that decision.")
@time_option("The match's time control.")
@json_option
def command(
    *,
    record: Path,
    bot: str,
    seat: int | None,
    at: str | None,
    pdb: bool,
    directly: bool,
    time: str,
    as_json: bool,
) -> None:
    """Ask a bot for the decisions of a recorded match again.

    It lists the decisions at which the bot chooses differently now.
    A NAME is what `arena match` takes: a project's folder, a file, HOST:PORT of a bot that listens, perhaps under a
    debugger, or a house bot.  The match continues as in the record whatever it answers.

    With --at it is asked at one decision, named by the step of the record as `arena bot analyse`, --profile and `arena view` do: the same view,
    history, legal actions, clock and bot seed; of a DIR the record of that match is taken.  It is asked at its decisions before that one too, so that what it remembers and
    what it has drawn by lot is as it was; --directly leaves these out.

    \b
    Examples:
      arena bot replay records/gzpqumnkarjxzyev.json my-bot
      arena bot replay records my-bot --at gzpqumnkarjxzyev:37
      arena bot replay records my-bot --at gzpqumnkarjxzyev:37 --pdb
    """
    if at is None and (pdb or directly):
        raise UsageError(f"{'pdb' if pdb else 'directly'}: goes with --at MATCH:STEP")
    control = parse_time_control(time)
    reference = None if at is None or at.isdecimal() else read_reference(at, "at")
    match, file = _find_record(record, reference)
    contender = read_contender(match.game, bot)
    if pdb and not contender.program.endswith(".py"):
        raise UsageError(
            f"pdb: {bot} is no Python file of yours; have it listen under your debugger, and give HOST:PORT"
        )
    seats = [seat] if seat is not None else _seats_of(match, contender)
    if seat is not None and seat >= len(match.seats):
        raise UsageError(f"seat {seat}: must be 0 to {len(match.seats) - 1}")
    if at is not None and reference is None:
        raise UsageError(_explain_number(match, seats, int(at), control))
    step = None if reference is None else reference.step
    try:
        _run(match, file, contender, seats, step, control, directly=directly, pdb=pdb, as_json=as_json)
    except BotFailed as error:
        raise CannotReplay(f"bot {bot!r}: {error}") from error


def _run(
    match: Record,
    file: Path,
    contender: Contender,
    seats: list[int],
    step: int | None,
    control: TimeControl,
    *,
    directly: bool,
    pdb: bool,
    as_json: bool,
) -> None:
    if step is None:
        answered = [each for one in seats for each in asyncio.run(_ask_all(contender, match, one, control))]
        print_result(_compared(match, seats, answered), _list(match, seats, answered), as_json=as_json)
        return
    moments = _until(match, seats, step, control)
    if not as_json:
        echo(_describe(match, moments[-1]))
        for line in _noted(read_notes(file).get(moments[-1].ask.seat), step):
            echo(line)
    now = asyncio.run(_ask_last(contender, match, moments, control, directly=directly, pdb=pdb))
    print_result(_to_document(now), _show_answer(now), as_json=as_json)


# --- asking ---------------------------------------------------------------------------------------------------


async def _ask_all(contender: Contender, record: Record, seat: int, time: TimeControl) -> list[Answered]:
    moments = list(retrace(record, seat, time))
    if not moments:
        return []
    try:
        async with meet(contender.source()) as partner:
            return [answered async for answered in ask_all(partner, record, moments, time)]
    except AnswerFailed as error:
        raise CannotReplay(f"seat {seat}, {error}") from error


async def _ask_last(
    contender: Contender,
    record: Record,
    moments: Sequence[Moment],
    time: TimeControl,
    *,
    directly: bool,
    pdb: bool,
) -> Answered:
    first = len(moments) - 1 if directly else 0
    environment = {"ARENA_STOP_AT": str(len(moments) - first)} if pdb else {}
    try:
        async with meet(contender.source(), environment) as partner:
            answers = [each async for each in ask_all(partner, record, moments, time, first=first)]
    except AnswerFailed as error:
        raise CannotReplay(f"seat {moments[0].ask.seat}, {error}") from error
    return answers[-1]


# --- reading --------------------------------------------------------------------------------------------------


def _seats_of(record: Record, contender: Contender) -> list[int]:
    """Return the seats of its name and version; where it has changed since, those of its name.  Raises UsageError."""
    named = [number for number, seat in enumerate(record.seats) if seat.bot == contender.bot]
    seats = [number for number in named if record.seats[number].version == contender.version] or named
    if not seats:
        there = ", ".join(f"{number} {name}" for number, name in enumerate(names(record.seats)))
        raise UsageError(f"bot {contender.bot!r}: sat in no seat of this match; give --seat, of {there}")
    return seats


def _find_record(path: Path, reference: StepReference | None) -> tuple[Record, Path]:
    if reference is not None:
        return find_match([path], reference, "at")
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name one of its files, or a decision with --at MATCH:STEP")
    return read_record(path), path


def _until(record: Record, seats: Sequence[int], step: int, control: TimeControl) -> list[Moment]:
    """Return the moments of the seat that was asked for a step, up to that one.  Raises UsageError."""
    asked: set[int] = set()
    for seat in seats:
        moments = list(retrace(record, seat, control))
        here = [number for number, moment in enumerate(moments) if moment.step == step]
        if here:  # where talk was answered by silence, the step is that of the choice that followed
            return moments[: here[-1] + 1]
        asked |= {moment.step for moment in moments}
    near = sorted(sorted(asked, key=lambda number: abs(number - step))[:4])
    whose = _owner(record, step)
    raise UsageError(
        f"at {StepReference(record.match, step)}: {whose}; seat {' and '.join(map(str, seats))} was asked at "
        + (f"{', '.join(map(str, near))}, to name the nearest" if near else "no step")
    )


def _owner(record: Record, step: int) -> str:
    if step >= len(record.steps):
        return f"the match has the steps 0 to {len(record.steps) - 1}"
    found = record.steps[step].step
    if not isinstance(found, Played | Said):
        return "that step is no answer of a seat"
    return f"that step is of seat {found.seat} ({names(record.seats)[found.seat]}), whose decisions --seat {found.seat} takes"


def _explain_number(record: Record, seats: Sequence[int], number: int, control: TimeControl) -> str:
    """Return how to write a decision that is named by its number, as tracebacks do."""
    found = [
        f"decision {number} of seat {seat} is --at {StepReference(record.match, moment.step)}"
        for seat in seats
        for moment in retrace(record, seat, control)
        if moment.ask.decision == number
    ]
    return "; ".join([f"at '{number}': must be MATCH:STEP", *found])


# --- showing --------------------------------------------------------------------------------------------------


def _describe(record: Record, moment: Moment) -> str:
    ask = moment.ask
    rows: list[tuple[str, Any]] = [*moment.view._asdict().items()]
    rows.append(("clock", f"{ask.bank_ms:.0f} ms in the bank, {ask.limit_ms:.0f} ms for this decision"))
    rows.append(("legal", ", ".join(ask.actions)) if ask.talk is None else ("talk", ask.talk))
    rows.append(("then", _then(record, moment)))
    wide = _width(moment)
    head = f"{StepReference(record.match, moment.step)} ({record.game}, {_name_part(record, moment)}): seat {ask.seat}, its decision {ask.decision}"
    view = "its view, in which rounds, hands and turns count from 0:"
    return "\n".join([head, view, *(f"  {name:{wide}}  {_write(value)}" for name, value in rows)])


def _name_part(record: Record, moment: Moment) -> str:
    return part_of(record.game, moment.view)


def _noted(notes: SeatNotes | None, step: int) -> list[str]:
    """Print the notes that came with the answer, if there are any."""
    found = dict(notes.steps).get(step) if notes is not None else None
    if found is None:
        return []
    rated = ", ".join(
        f"{each.action} {each.value:.4g}" for each in sorted(found.candidates, key=lambda one: -one.value)
    )
    numbers = ", ".join(f"{name} {value:.4g}" for name, value in found.numbers)
    return [f"  noted then: {said}" for said in (found.text, rated, numbers) if said]


def _show_answer(now: Answered) -> str:
    limit_ms = now.moment.ask.limit_ms
    late = f", over its limit of {limit_ms:.0f} ms" if now.ms > limit_ms else ""
    return f"  {'now':{_width(now.moment)}}  {_write_answer(now.now)} ({now.ms:.0f} ms{late}){', as then' if now.same else ''}"


def _width(moment: Moment) -> int:
    return max(len(name) for name in (*moment.view._fields, "clock"))


def _list(record: Record, seats: Sequence[int], answered: Sequence[Answered]) -> str:
    lines = []
    for seat in seats:
        mine = [each for each in answered if each.moment.ask.seat == seat]
        other = [each for each in mine if not each.same]
        slowest = max((each.ms for each in mine), default=0.0)
        lines.append(
            f"seat {seat} ({names(record.seats)[seat]}): {len(mine)} decisions, {len(other)} answered differently now,"
            f" the slowest in {slowest:.0f} ms"
        )
        lines += [
            f"  {StepReference(record.match, each.moment.step)} ({_name_part(record, each.moment)}): "
            f"{_then(record, each.moment)}, now {_write_answer(each.now)}"
            for each in mine
            if not each.same
        ]
    return "\n".join(lines)


def _then(record: Record, moment: Moment) -> str:
    """Write what the record says of a decision: where a fault of the seat ended the match, the fault."""
    fault = record.result.fault
    if moment.answer is None and fault is not None and fault.seat == moment.ask.seat:
        return f"{fault.kind}: {fault.message.splitlines()[-1] if fault.message else ''}"
    return "no answer that counted" if moment.answer is None else _write_answer(moment.answer)


def _write_answer(answer: Answer) -> str:
    if not isinstance(answer, Line):
        return answer
    claims = [f"{claim.kind} seat {claim.seat} {claim.vote} {claim.when}" for claim in answer.claims]
    return "; ".join([repr(answer.text), *claims]) if answer.text or claims else "silence"


def _write(value: Any) -> str:  # noqa: ANN401 - whatever a view holds
    """Write a value of a view: piles of cards as on the game's page, piles of piles with a bar between."""
    if hasattr(value, "_asdict"):
        return " ".join(f"{name}={_write(each)}" for name, each in value._asdict().items())
    if isinstance(value, tuple):
        inner = any(isinstance(each, tuple) for each in value)
        return (" | " if inner else " ").join(_write(each) for each in value) or "–"
    return "–" if value in {"", None} else str(value)


def _compared(record: Record, seats: Sequence[int], answered: Sequence[Answered]) -> dict[str, object]:
    return {
        "match": record.match,
        "game": record.game,
        "seats": list(seats),
        "decisions": len(answered),
        "different": [_to_document(each) for each in answered if not each.same],
    }


def _to_document(each: Answered) -> dict[str, object]:
    ask = each.moment.ask
    return {
        "seat": ask.seat,
        "decision": ask.decision,
        "step": each.moment.step,
        "legal": list(ask.actions),
        "bank_ms": int(ask.bank_ms),
        "limit_ms": int(ask.limit_ms),
        "then": _answer_to_document(each.moment.answer),
        "now": _answer_to_document(each.now),
        "ms": round(each.ms, 1),
    }


def _answer_to_document(answer: Answer | None) -> object:
    if not isinstance(answer, Line):
        return answer
    claims = [
        {"kind": each.kind, "seat": each.seat, "vote": each.vote, "when": each.when} for each in answer.claims
    ]
    return {"text": answer.text, "claims": claims}

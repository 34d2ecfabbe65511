"""`arena bot replay`: a bot put before the decisions of a recorded match again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.bot.record_sources import read_record
from arena.cli.match.contenders import Contender, read_contender
from arena.cli.support.output import echo
from arena.core.errors import ArenaError, UsageError
from arena.devtools.bot_driver import BotFailed, meet
from arena.devtools.bot_replay import Answered, AnswerFailed, ask_all
from arena.devtools.decision_trace import Moment, retrace
from arena.games.kernel import Answer, Line
from arena.match.clock import STANDARD, TimeControl, parse_time_control
from arena.match.record import Record


class CannotReplay(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when the bot fails at one of the decisions of a match."""


@click.command("replay")
@click.argument("record", type=click.Path(path_type=Path), metavar="RECORD")
@click.argument("bot", metavar="NAME")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="Whose decisions; the seat of the bot of that name if not given.",
)
@click.option(
    "--at", type=click.IntRange(min=1), metavar="DECISION", help="Only this decision, and all there is to it."
)
@click.option(
    "--pdb", is_flag=True, help="With --at: stop in Python's debugger where the bot begins to think."
)
@click.option("--directly", is_flag=True, help="With --at: ask nothing before that decision.")
@click.option(
    "--time", default=str(STANDARD), show_default=True, metavar="BASE+INC", help="The match's time control."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    *,
    record: Path,
    bot: str,
    seat: int | None,
    at: int | None,
    pdb: bool,
    directly: bool,
    time: str,
    as_json: bool,
) -> None:
    """Put a bot before the decisions of a match again, and say where it chooses differently now.

    A NAME is what `arena match` takes: a project's folder, a file, HOST:PORT of a bot that listens, perhaps under a
    debugger, or a house bot.  What it answers changes nothing: the match goes on as RECORD has it.

    With --at it is asked at the decision of that number, as faults and tracebacks name it: the same view, history, legal
    actions, clock and bot seed.  It is asked at its decisions before that one too, so that what it remembers and
    what it has drawn by lot is as it was; --directly leaves these out.

    \b
    Examples:
      arena bot replay records/gzpqumnkarjxzyev.json my-bot
      arena bot replay records/gzpqumnkarjxzyev.json --seat 1 --at 37 my-bot
      arena bot replay records/gzpqumnkarjxzyev.json --seat 1 --at 37 --pdb my-bot
    """
    if at is None and (pdb or directly):
        raise UsageError(f"{'pdb' if pdb else 'directly'}: goes with --at DECISION, such as --at 37")
    control = parse_time_control(time)
    match = read_record(record)
    contender = read_contender(match.game, bot)
    if pdb and not contender.program.endswith(".py"):
        raise UsageError(
            f"pdb: {bot} is no Python file of yours; have it listen under your debugger, and give HOST:PORT"
        )
    seats = [seat] if seat is not None else _seats_of(match, contender)
    if seat is not None and seat >= len(match.seats):
        raise UsageError(f"seat {seat}: must be 0 to {len(match.seats) - 1}")
    try:
        _run(match, contender, seats, at, control, directly=directly, pdb=pdb, as_json=as_json)
    except BotFailed as error:
        raise CannotReplay(f"bot {bot!r}: {error}") from error


def _run(
    match: Record,
    contender: Contender,
    seats: list[int],
    at: int | None,
    control: TimeControl,
    *,
    directly: bool,
    pdb: bool,
    as_json: bool,
) -> None:
    if at is None:
        answered = [each for one in seats for each in asyncio.run(_ask_all(contender, match, one, control))]
        echo(
            json.dumps(_compared(match, seats, answered), indent=2)
            if as_json
            else _list(match, seats, answered)
        )
        return
    if len(seats) > 1:
        raise UsageError(
            f"seat: {contender.bot} sat in seats {' and '.join(map(str, seats))}; give one with --seat"
        )
    moments = _until(list(retrace(match, seats[0], control)), at, seats[0])
    if not as_json:
        echo(_describe(match, moments[-1]))
    now = asyncio.run(_ask_last(contender, match, moments, control, directly=directly, pdb=pdb))
    echo(json.dumps(_to_document(now), indent=2) if as_json else _show_answer(now))


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
    seats = [number for number, seat in enumerate(record.seats) if seat.bot == contender.bot]
    if not seats:
        there = ", ".join(f"{number} {seat.bot}" for number, seat in enumerate(record.seats))
        raise UsageError(f"bot {contender.bot!r}: sat in no seat of this match; give --seat, of {there}")
    return seats


def _until(moments: list[Moment], at: int, seat: int) -> list[Moment]:
    numbers = [moment.ask.decision for moment in moments]
    if at not in numbers:
        near = sorted(sorted(numbers, key=lambda number: abs(number - at))[:4])
        asked = f"the nearest are {', '.join(map(str, near))}" if near else "it was never asked"
        raise UsageError(f"at {at}: seat {seat} was not asked then; {asked}")
    return moments[: numbers.index(at) + 1]


# --- showing --------------------------------------------------------------------------------------------------


def _describe(record: Record, moment: Moment) -> str:
    ask = moment.ask
    rows = [*moment.view._asdict().items()]
    rows.append(("clock", f"{ask.bank_ms:.0f} ms in the bank, {ask.limit_ms:.0f} ms for this decision"))
    rows.append(("legal", ", ".join(ask.actions)) if ask.talk is None else ("talk", ask.talk))
    rows.append(("then", _then(record, moment)))
    wide = _width(moment)
    head = f"{record.match} ({record.game}): seat {ask.seat}, decision {ask.decision}, step {moment.step}"
    return "\n".join([head, *(f"  {name:{wide}}  {_write(value)}" for name, value in rows)])


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
            f"seat {seat} ({record.seats[seat].bot}): {len(mine)} decisions, {len(other)} answered differently now,"
            f" the slowest in {slowest:.0f} ms"
        )
        lines += [
            f"  decision {each.moment.ask.decision} (step {each.moment.step}): "
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

"""The decisions of a match that was recorded, with what each seat was asked with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType

from arena.core.notes import Notes
from arena.games import registry
from arena.games.kernel import Line
from arena.match.record import Record
from arena.match.replay import MatchReplay, RecordedAnswer
from arena.match.seat_notes import one_to_json
from arena.rl.decision_rows import DecisionRow, write_line


def decisions_of(record: Record, notes: Mapping[int, Notes] = MappingProxyType({})) -> list[DecisionRow]:
    """List the decisions that seats of a match were asked for and answered; `notes` are by the step that the action is.

    Raises ReplayError, IllegalAction or UsageError for a record that cannot be played again.
    """
    match = MatchReplay.of(record)
    encode = registry.package(record.game).codec.encode
    rows = []
    while match.step_count < len(record.steps) and match.open_decisions():
        before = match.state
        point = match.resolve(record.steps, match.step_count)
        for answer in point.answers:
            if answer.to.asked:
                view = encode(match.game.view(before, answer.to.seat))
                rows.append(_row(record, answer, view, notes.get(answer.index)))
    return rows


def _row(record: Record, answer: RecordedAnswer, view: bytes, noted: Notes | None) -> DecisionRow:
    seat, ending = answer.to.seat, record.result
    said = answer.answer
    return DecisionRow(
        match=record.match,
        seed=record.seed,
        seat=seat,
        bot=f"{record.seats[seat].bot}@{record.seats[seat].version}",
        step=answer.index,
        view=view,
        legal=answer.to.actions,
        action=write_line(said.text, [asdict(each) for each in said.claims])
        if isinstance(said, Line)
        else said,
        ms=None if answer.recorded is None else answer.recorded.ms,
        notes=None if noted is None else one_to_json(noted),
        score=None if ending.scores is None else ending.scores[seat],
        place=ending.places[seat],
    )

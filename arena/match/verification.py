"""Checks a record: deals and plays the match again and names the first thing that is wrong (docs/record.md).

It plays on purpose by its own reading of docs/record.md, and shares neither `arena.match.replay` nor the session's steps
(`arena.match.decision_rules`, `Ending`): a mistake in those must not hide itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.chance import SEED_BYTES, commitment
from arena.games.kernel import (
    SILENCE,
    Answer,
    Chance,
    Choice,
    Decision,
    DummyPlayed,
    IllegalAction,
    Json,
    Played,
    Said,
    Setup,
    Step,
    Talk,
    advance,
    check_line,
)
from arena.games.registry import AnyGame
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import FAULT_END, Record, RecordedStep

_ONLY_WHERE_ASKED = (FaultKind.ILLEGAL_ACTION, FaultKind.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """The first thing that is wrong with a record: at a step, counted from 0, or with the record as a whole."""

    step: int | None
    message: str

    def __str__(self) -> str:
        """Write it for people."""
        return self.message if self.step is None else f"step {self.step}: {self.message}"


class _WrongError(Exception):
    """Raised inside this module where the record departs from the match."""

    def __init__(self, step: int | None, message: str) -> None:
        super().__init__(message)
        self.discrepancy = Discrepancy(step, message)


def verify(record: Record, game: AnyGame | None = None) -> Discrepancy | None:
    """Check a whole record; None means that it is right.  The game is found by its id if it is not given."""
    try:
        played = game or registry.find(record.game)
        setup = _check_head(record, played)
        _Replay(record, played, setup).check()
    except UsageError as error:
        return Discrepancy(None, str(error))
    except _WrongError as wrong:
        return wrong.discrepancy
    return None


def _check_head(record: Record, game: AnyGame) -> Setup:
    if record.game != game.id:
        raise _WrongError(None, f"game {record.game!r}: must be {game.id!r}")
    talks = [seat.talks for seat in record.seats]
    setup = game.setup(len(talks), variant=record.variant, options=record.options, talks=talks)
    if missing := [name for name in setup.options if name not in record.options]:
        raise _WrongError(None, f"options: {missing[0]!r} is missing; every option of the game is named")
    if any(talks) and not game.has_talk:
        raise _WrongError(None, f"seats[{talks.index(True)}].talks: there is no talk in {game.id}")
    if len(record.seed) != SEED_BYTES:
        raise _WrongError(None, f"seed: must be {SEED_BYTES} bytes; it has {len(record.seed)}")
    right = commitment(record.match, record.seed)
    if record.commitment != right:
        raise _WrongError(None, f"commitment {record.commitment.hex()}: must be {right.hex()}")
    return setup


class _Replay:
    """A match played again along its record."""

    def __init__(self, record: Record, game: AnyGame, setup: Setup) -> None:
        self._record = record
        self._game = game
        self._setup = setup
        self._at = 0
        self._together = 0

    def check(self) -> None:
        state, steps = self._game.new(self._setup, self._record.seed)
        self._expect(steps)
        while decisions := self._game.to_act(state):
            if self._record.result.fault is not None and self._next() is None:
                _check_fault(self._record, self._record.result.fault, self._asked(state, decisions))
                return
            state = self._resolve(state, decisions)
        if self._next() is not None:
            raise _WrongError(self._at, "the match is over; there must be no further step")
        _check_result(self._record, self._game, state)

    def _next(self) -> RecordedStep | None:
        steps = self._record.steps
        return steps[self._at] if self._at < len(steps) else None

    def _resolve(self, state: Any, decisions: Sequence[Decision]) -> Any:  # noqa: ANN401 - each game has its own state
        """Read the answers of one point from the record and go on with them."""
        start = self._at
        answers: list[Answer] = []
        for decision in decisions:
            if isinstance(decision, Talk):
                answers.append(self._read_line(decision))
            else:
                number = self._together if len(decisions) > 1 else None
                answers.append(self._read_action(state, decision, number))
        self._at = start
        after, steps, self._together = advance(self._game, state, answers, self._together)
        self._expect(steps)
        return after

    def _read_line(self, talk: Talk) -> Answer:
        recorded = self._next()
        if recorded is None or not isinstance(recorded.step, Said):
            return SILENCE
        said = recorded.step
        if (said.seat, said.round) != (talk.seat, talk.round):
            return SILENCE
        if said.line == SILENCE:
            raise _WrongError(self._at, "silence must not be recorded")
        try:
            check_line(talk, said.line, self._setup.seats)
        except IllegalAction as error:
            raise _WrongError(self._at, str(error)) from error
        self._at += 1
        return said.line

    def _read_action(self, state: Any, choice: Choice, number: int | None) -> Answer:  # noqa: ANN401 - as above
        recorded = self._next()
        wanted = f"an action of seat {choice.seat}" + ("" if number is None else f", together {number}")
        if recorded is None:
            raise _WrongError(self._at, f"the record ends here; must be {wanted}")
        played = recorded.step
        if not isinstance(played, Played) or (played.seat, played.together) != (choice.seat, number):
            raise _WrongError(self._at, f"{_show(played)}: must be {wanted}")
        legal = self._game.legal(state, choice.seat)
        if played.action not in legal:
            raise _WrongError(
                self._at, f"action {played.action!r} is not legal; must be one of {', '.join(legal)}"
            )
        if recorded.ms is not None and recorded.ms > 0 and len(legal) == 1:
            raise _WrongError(
                self._at, f"ms {recorded.ms:g}: must be 0, the platform plays a single legal action"
            )
        self._at += 1
        return played.action

    def _expect(self, steps: Iterable[Step]) -> None:
        """Check that the record goes on with these steps, and that actions, and they only, have a time."""
        for step in steps:
            recorded = self._next()
            if recorded is None:
                raise _WrongError(self._at, f"the record ends here; must be {_show(step)}")
            if recorded.step != step:
                raise _WrongError(self._at, f"{_show(recorded.step)}: must be {_show(step)}")
            if not isinstance(step, Played):
                if recorded.ms is not None:
                    raise _WrongError(self._at, "ms: only a seat's action has a time")
            elif recorded.ms is None or not 0 <= recorded.ms < float("inf"):
                raise _WrongError(self._at, f"ms {recorded.ms}: must be a number, 0 or more")
            self._at += 1

    def _asked(self, state: Any, decisions: Sequence[Decision]) -> set[int]:  # noqa: ANN401 - as above
        """Return the seats that may have been asked to choose after the last step.

        A silent round of talk leaves no step, so the fault may have come at the choice after it.
        """
        while decisions and all(isinstance(decision, Talk) for decision in decisions):
            state, followed = self._game.apply(state, [SILENCE] * len(decisions))
            if followed:
                return set()
            decisions = self._game.to_act(state)
        return {choice.seat for choice in decisions if len(self._game.legal(state, choice.seat)) > 1}


def _check_fault(record: Record, fault: SeatFault, asked: set[int]) -> None:
    seats = len(record.seats)
    if fault.seat not in range(seats):
        raise _WrongError(None, f"result.fault.seat {fault.seat}: must be 0 to {seats - 1}")
    if fault.kind in _ONLY_WHERE_ASKED and fault.seat not in asked:
        message = (
            f"{fault.kind.value!r} of seat {fault.seat}: must be that of a seat that was asked to choose"
        )
        raise _WrongError(
            len(record.steps), f"{message} ({', '.join(map(str, sorted(asked))) or 'none was'})"
        )
    right = tuple([seats if seat == fault.seat else 1 for seat in range(seats)])
    _compare("places", record.result.places, right)
    _compare("end", record.result.end, FAULT_END)
    _compare("scores", record.result.scores, None)
    _compare("detail", record.result.detail, None)


def _check_result(record: Record, game: AnyGame, state: Any) -> None:  # noqa: ANN401 - each game has its own state
    right = game.result(state)
    if right is None:
        raise _WrongError(None, f"{game.id}: no decision is open, yet there is no result")
    if record.result.fault is not None or record.result.end == FAULT_END:
        raise _WrongError(
            None, f"result.end {record.result.end!r}: must be {right.end!r}, the match was over"
        )
    _compare("end", record.result.end, right.end)
    _compare("scores", record.result.scores, right.scores)
    _compare("places", record.result.places, right.places)
    _compare("detail", record.result.detail, right.detail)


def _compare(name: str, written: Json, right: Json) -> None:
    """Compare as JSON: lists and tuples are the same, true and 1 or 1.0 and 1 are not."""
    shown, wanted = (json.dumps(value, sort_keys=True) for value in (written, right))
    if shown != wanted:
        raise _WrongError(None, f"result.{name} {shown}: must be {wanted}")


def _show(step: Step) -> str:
    match step:
        case Played(seat, action, together):
            return f"seat {seat} {action!r}" + ("" if together is None else f", together {together}")
        case Said(seat, line, number):
            return f"seat {seat} saying {line.text!r} in round {number}"
        case DummyPlayed(action):
            return f"the dummy's {action!r}"
        case Chance(name, outcome):
            return f"chance {name!r} with {' | '.join(outcome)!r}"

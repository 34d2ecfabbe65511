"""Decisions: the log of a tournament's life, from which alone its schedule follows.

    cycles   more cycles of the design are to be played           leave   an entry leaves
    drawn    a round of a format that adapts                       extend  more cycles or rounds are allowed
    over     nothing more is planned

A decision that depends on results names their hash (`basis`), so that it can be recomputed from the results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, TypeAlias

from arena.scheduling.formats.adaptive_rounds import TableEntries


@dataclass(frozen=True, slots=True)
class Cycles:
    """More cycles of the design are planned; `basis` is None where no result was considered."""

    kind: ClassVar[str] = "cycles"
    cycles: int
    basis: str | None = None


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A round: who meets whom, who sits out, who had left; a ladder's with what was known of each entry."""

    kind: ClassVar[str] = "drawn"
    tables: tuple[TableEntries, ...]
    byes: tuple[int, ...]
    gone: tuple[int, ...]
    basis: str
    known: tuple[tuple[float, float], ...] = ()
    """By entry, its Elo and the half width of its error bar."""


@dataclass(frozen=True, slots=True)
class Extend:
    """The organiser allows more cycles or rounds."""

    kind: ClassVar[str] = "extend"
    more: int


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry leaves; what it has played stays, or is annulled."""

    kind: ClassVar[str] = "leave"
    entry: int
    annulled: bool
    why: str


@dataclass(frozen=True, slots=True)
class End:
    """Nothing more is planned; `basis` is None where that follows from no result."""

    kind: ClassVar[str] = "over"
    why: str
    basis: str | None = None
    cancelled: bool = False


Decision: TypeAlias = Cycles | RoundDrawn | Extend | Withdrawal | End
_KINDS: dict[str, type[Decision]] = {
    each.kind: each for each in (Cycles, RoundDrawn, Extend, Withdrawal, End)
}


def to_json(decision: Decision) -> str:
    """Write a decision as canonical JSON."""
    return json.dumps(
        {"kind": decision.kind, **asdict(decision)},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )


def from_json(text: str) -> Decision:
    """Read a decision.  Raises ValueError."""
    fields: Any = json.loads(text)
    try:
        kind = _KINDS[fields.pop("kind")]
        return kind(**{name: _tuples(value) for name, value in fields.items()})
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(
            f"decision {text[:100]}: must be one of {', '.join(_KINDS)} with its fields"
        ) from error


@dataclass(frozen=True, slots=True)
class DecisionState:
    """State that follows from the decisions so far."""

    cycles: int = 0
    """Cycles of the design that are planned."""
    more: int = 0
    """Cycles or rounds that the organiser has allowed beyond those asked for at first."""
    rounds: tuple[RoundDrawn, ...] = ()
    withdrawn: Mapping[int, bool] = field(default_factory=dict)
    """The entries that have left; True for those whose results are annulled."""
    over: End | None = None

    @classmethod
    def of(cls, decisions: Iterable[Decision]) -> DecisionState:
        """Go through the decisions in their order."""
        cycles, more, rounds, over = 0, 0, [], None
        gone: dict[int, bool] = {}
        for decision in decisions:
            match decision:
                case Cycles():
                    cycles += decision.cycles
                case RoundDrawn():
                    rounds.append(decision)
                case Extend():
                    more += decision.more
                case Withdrawal():
                    gone[decision.entry] = decision.annulled
                case End():
                    over = decision
        return cls(cycles, more, tuple(rounds), gone, over)


def _tuples(value: Any) -> Any:  # noqa: ANN401 - JSON
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

"""Losses of many matches added up: by part of the match, phase, opponent, and kind of decision."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

from arena.analysis.loss_search import Found, Loss
from arena.analysis.past_decisions import PHASES, PastDecision

BY: Mapping[str, Callable[[PastDecision], str]] = MappingProxyType(
    {
        "part": lambda decision: decision.part,
        "phase": lambda decision: decision.phase,
        "opponents": lambda decision: decision.opponents,
        "kind": lambda decision: decision.kind,
    }
)
"""Groups by which losses are added up, with the words for a decision's group."""


@dataclass(frozen=True, slots=True)
class Group:
    """The decisions that have something in common.  Losses are shares of the chance to win, 0 to 1 each."""

    name: str
    decisions: int
    matches: int
    lost: float
    """The sum of their losses."""
    error: float
    """Its standard error."""

    @property
    def per_match(self) -> float:
        """Return what they cost in a match on average."""
        return self.lost / self.matches


def sum_up(losses: Iterable[Loss], by: str) -> tuple[Group, ...]:
    """Add losses up by one of BY: phases in their order, parts in that of the match, all else the costliest first."""
    name_of = BY[by]
    groups: dict[str, list[Loss]] = {name: [] for name in PHASES} if by == "phase" else {}
    for loss in losses:
        groups.setdefault(name_of(loss.decision), []).append(loss)
    found = [_group(name, each) for name, each in groups.items() if each]
    return tuple(found if by in ("phase", "part") else sorted(found, key=lambda group: -group.lost))


def sum_up_tags(losses: Iterable[Loss], tags: Mapping[tuple[str, int], Iterable[str]]) -> tuple[Group, ...]:
    """Add losses up by the tags of their decisions, given by match and step; a decision counts for each of its tags.  The costliest first."""
    groups: dict[str, list[Loss]] = {}
    for loss in losses:
        for tag in tags.get((loss.decision.match, loss.decision.step), ()):
            groups.setdefault(tag, []).append(loss)
    return tuple(sorted(itertools.starmap(_group, groups.items()), key=lambda group: -group.lost))


def costliest(losses: Iterable[Loss], most: int = 20) -> tuple[Loss, ...]:
    """Return the costliest decisions, those that cost something, the worst first."""
    return tuple(sorted((each for each in losses if each.loss > 0), key=lambda each: -each.loss)[:most])


def open_rivals(found: Iterable[Found]) -> dict[str, tuple[str, ...]]:
    """Return the decisions that may be the costliest of their match where that is not certain, each with its rivals, as MATCH:STEP."""
    rivals: dict[str, tuple[str, ...]] = {}
    for each in found:
        if each.worst is not None and not each.certain:
            names = [loss.decision.reference for loss in (each.worst, *each.ties)]
            rivals |= {name: tuple(other for other in names if other != name) for name in names}
    return rivals


def _group(name: str, losses: list[Loss]) -> Group:
    return Group(
        name=name,
        decisions=len(losses),
        matches=len({each.decision.match for each in losses}),
        lost=sum(each.loss for each in losses),
        error=sqrt(sum(each.error**2 for each in losses)),
    )

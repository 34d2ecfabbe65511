"""Stop rules: whether a tournament has shown what it was played for.

    separated:3     the best 3 are ahead of all others at 95 %, however often one looks
    sprt:0,10       of two versions the first is stronger by 10 Elo, or not at all (elo0 0, elo1 10)

A rule looks after whole cycles only, when all their results are there: what it sees does not depend on who was quicker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say, say_many
from arena.ratings.error_bars import covariance
from arena.ratings.fit import solve
from arena.ratings.model import POINTS_PER_E
from arena.ratings.rating_data import gather
from arena.ratings.separation import separated
from arena.ratings.sprt import Look, Sprt
from arena.scheduling.formats.adaptive_rounds import SetPairs

__all__ = [
    "MIN_SETS",
    "Look",
    "Separated",
    "Sprt",
    "StopRule",
    "describe_aim",
    "look",
    "parse",
    "stop_from_json",
    "stop_to_json",
    "verdict",
    "written",
]

MIN_SETS = 16
"""Sets of each entry before error bars are trusted with a decision."""
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Separated:
    """Stop when the best `top` are separated from the rest."""

    top: int


StopRule: TypeAlias = Separated | Sprt


def parse(text: str) -> StopRule:
    """Read `separated:K` or `sprt:ELO0,ELO1[,ALPHA,BETA]`.  Raises Refusal."""
    name, _, given = text.partition(":")
    try:
        if name == "separated":
            return Separated(int(given))
        if name == "sprt":
            numbers = [float(number) for number in given.split(",")]
            if len(numbers) in {2, 4} and all(abs(number) < inf for number in numbers):
                return Sprt(*numbers)
    except UsageError as error:
        raise Refusal(
            "stop_invalid", say("stop {text!r}: {error}", text=text[:80], error=error), field="stop"
        ) from error
    except ValueError:
        pass
    raise Refusal(
        "stop_invalid",
        say(
            "stop {text!r}: must be separated:K or sprt:ELO0,ELO1, with ,ALPHA,BETA if not 0.05 each",
            text=text[:80],
        ),
        field="stop",
    )


def written(stop: StopRule) -> str:
    """Write a rule as `parse` reads it."""
    if isinstance(stop, Separated):
        return f"separated:{stop.top}"
    return f"sprt:{stop.elo0:g},{stop.elo1:g},{stop.alpha:g},{stop.beta:g}"


def describe_aim(stop: StopRule) -> str:
    """Return what has to be shown for it to end, in words."""
    if isinstance(stop, Separated):
        return say_many("the best is separated at 95 %", "the best {number} are separated at 95 %", stop.top)
    return say(
        "elo0 = {elo0:g} or elo1 = {elo1:g} is accepted (alpha {alpha:g}, beta {beta:g})",
        elo0=stop.elo0,
        elo1=stop.elo1,
        alpha=stop.alpha,
        beta=stop.beta,
    )


def stop_to_json(stop: StopRule) -> dict[str, Any]:
    """Return a rule's fields."""
    if isinstance(stop, Separated):
        return {"rule": "separated", "top": stop.top}
    return {"rule": "sprt", "elo0": stop.elo0, "elo1": stop.elo1, "alpha": stop.alpha, "beta": stop.beta}


def stop_from_json(given: Mapping[str, Any]) -> StopRule:
    """Read what `stop_to_json` gave.  Raises UsageError."""
    match given:
        case {"rule": "separated", "top": int(top)}:
            return Separated(top)
        case {"rule": "sprt", **numbers}:
            try:
                return Sprt(**{name: float(value) for name, value in numbers.items()})
            except (TypeError, ValueError) as error:
                raise UsageError(
                    say("stop {given!r}: sprt has elo0, elo1, alpha and beta", given=given)
                ) from error
    raise UsageError(say("stop {given!r}: rule must be separated, with top, or sprt", given=given))


def verdict(stop: StopRule, played: Iterable[SetPairs]) -> str | None:
    """Return in words what the sets so far have shown; None if that is not yet certain."""
    done = [pairs for pairs in played if _is_attended(pairs)]
    return _separation(stop, done) if isinstance(stop, Separated) else _test(stop, done)


def look(stop: Sprt, played: Iterable[SetPairs]) -> Look:
    """Look at the sets of two entries so far, for entry 0."""
    scores = []
    for pairs in played:
        if _is_attended(pairs):
            won = sum(pair.low_units if pair.low == 0 else pair.high_units for pair in pairs)
            scores.append(won / sum(pair.low_units + pair.high_units for pair in pairs))
    return stop.look(scores)


def _is_attended(pairs: SetPairs) -> bool:
    """Return whether any points were taken in a set."""
    return any(pair.low_units or pair.high_units for pair in pairs)


def _test(stop: Sprt, done: list[SetPairs]) -> str | None:
    found = look(stop, done)
    if found.accepted is None:
        return None
    claim = stop.elo0 if found.accepted == "elo0" else stop.elo1
    return f"after {found.sets} sets {found.accepted} = {claim:g} is accepted (LLR {found.llr:.2f})"


def _separation(stop: Separated, done: list[SetPairs]) -> str | None:
    sums: dict[tuple[int, int], list[int]] = {}
    played: dict[int, int] = {}
    for pairs in done:
        for entry in {entry for pair in pairs for entry in (pair.low, pair.high)}:
            played[entry] = played.get(entry, 0) + 1
        for pair in pairs:
            units = sums.setdefault((pair.low, pair.high), [0, 0])
            units[0] += pair.low_units
            units[1] += pair.high_units
    if len(played) <= stop.top or min(played.values()) < MIN_SETS:
        return None
    given = gather(
        {entry: f"{entry:07d}" for entry in played},
        [(*key, *units) for key, units in sums.items()],
        [(number, *pair, 1) for number, pairs in enumerate(done) for pair in pairs],
    )
    solution = solve(given.totals)
    if solution.component.max() > 0:
        return None
    spread = covariance(solution, given.sets) * POINTS_PER_E**2
    if not separated(solution.elo, spread, stop.top, 1 - _CONFIDENCE):
        return None
    best = "the best is" if stop.top == 1 else f"the best {stop.top} are"
    return f"after {len(done)} sets {best} ahead of all others at {100 * _CONFIDENCE:g} %"

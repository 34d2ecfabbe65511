"""The chances of a match: their cost, and how often a run ten times as long is within their error bars."""

from __future__ import annotations

from time import process_time

from arena.games import registry
from arena.match.chances import STANDARD_WORK, estimate_chances
from arena.match.record import from_json
from bench.figures import Figure

MAX_SECONDS = 10.0
LEAST_WITHIN = 0.9
"""The error bars are those of 95 %; a long run has some of its own, and neighbours share their luck."""
LONGER = 10


def measure() -> list[Figure]:
    """Measure the match that each game's rules show."""
    figures = []
    for package in registry.PACKAGES.values():
        plan = package.search_plan
        if plan is None:
            continue
        record = from_json((package.docs / "match.json").read_text(encoding="utf-8"))
        started = process_time()
        estimates = estimate_chances(record, plan)
        seconds = process_time() - started
        longer = {each.point: each for each in estimate_chances(record, plan, LONGER * STANDARD_WORK)}
        within = [
            abs(share - other) <= error
            for each in estimates
            if each.point in longer
            for share, other, error in zip(each.shares, longer[each.point].shares, each.errors, strict=True)
        ]
        name = f"{package.game.id}: chances of a match"
        note = f"{len(estimates)} of {estimates[-1].point + 1} points"
        figures.append(
            Figure(name, round(seconds, 2), "s of one core", MAX_SECONDS, at_least=False, note=note)
        )
        share = round(sum(within) / len(within), 3)
        figures.append(
            Figure(f"{name}, within their error bars of a run {LONGER} × as long", share, "", LEAST_WITHIN)
        )
    return figures

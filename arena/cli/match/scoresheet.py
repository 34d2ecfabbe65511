"""The result of `arena match`, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.bundle_format.sandbox_errors import explain
from arena.cli.match.contest import Contest
from arena.cli.match.match_tally import POINTS, Estimate, Played, elo_difference, elo_over_others, tally
from arena.cli.support.fitted_table import FittedTable, name, number
from arena.cli.support.output import echo, print_table

_FAULTS_SHOWN = 3


def print_scoresheet(
    contest: Contest, played: Sequence[Played], records: Path | None, *, in_sandbox: bool = False
) -> None:
    """Print the bots by points, best first, and what there is to say below the table."""
    several = len(contest.contenders) > 2
    columns = (name("bot"), number("points"), number("mean score", spare=1))
    results = (number("won", spare=3), number("drawn", spare=4), number("lost", spare=2), number("faults"))
    table = FittedTable(
        f"{contest.game} · {_count_sets(played)} sets · {len(played)} matches",
        (*columns, *results, *([number("Elo over the others")] if several else [])),
    )
    rows = tally(played, len(contest.contenders))
    for bot in sorted(range(len(rows)), key=lambda each: -rows[each].points):
        contender, row = contest.contenders[bot], rows[bot]
        score = write_estimate(row.score, ".1f")
        over = elo_over_others(played, bot, len(contest.contenders)) if several else None
        rated = (write_estimate(over, "+.0f"),) if several else ()
        counts = (str(row.wins), str(row.draws), str(row.losses), str(row.faults))
        table.add(contender.label, f"{row.points:g}", score, *counts, *rated)
    print_table(table)
    echo(POINTS)
    labels = [contender.label for contender in contest.contenders]
    if len(labels) == 2 and (elo := elo_difference(played)):
        certain = (
            "95 %, by sets" if elo.error95 is not None else "one set gives no error bar; play more: --sets"
        )
        echo(f"Elo of {labels[0]} over {labels[1]}: {write_estimate(elo, '+.0f')} ({certain})")
    for line in _faults(labels, played, in_sandbox=in_sandbox):
        echo(line)
    echo(f"seed {contest.seed.hex()}")
    if records is not None:
        echo(f"records in {records}; check them with: arena verify {records}")


def to_document(contest: Contest, played: Sequence[Played]) -> dict[str, Any]:
    """Return the document that `--json` prints."""
    rows = tally(played, len(contest.contenders))
    elo = elo_difference(played) if len(rows) == 2 else None
    return contest.to_document() | {
        "sets": _count_sets(played),
        "bots": [
            {
                "bot": contender.bot,
                "label": contender.label,
                "version": contender.version,
                "points": row.points,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "score": estimate_to_document(row.score),
                "faults": row.faults,
                "elo_over_others": estimate_to_document(elo_over_others(played, bot, len(rows))),
            }
            for bot, (contender, row) in enumerate(zip(contest.contenders, rows, strict=True))
        ],
        "elo_difference": estimate_to_document(elo),
        "matches": [_match_to_document(match) for match in played],
    }


def _count_sets(played: Sequence[Played]) -> int:
    return len({match.set for match in played})


def _faults(labels: Sequence[str], played: Sequence[Played], *, in_sandbox: bool) -> list[str]:
    """Write down the faults, of each bot and kind the first few; `in_sandbox` with the limit that was met."""
    lines: dict[tuple[str, str], list[str]] = {}
    for match in played:
        if fault := match.result.fault:
            who = labels[match.seats[fault.seat]]
            text = f"fault in {match.id}: {who}: {fault.kind}: {fault.message}"
            if in_sandbox and (met := explain(fault.message)):
                text += f"\n  {met}"
            lines.setdefault((who, fault.kind), []).append(text)
    shown = []
    for (who, kind), texts in lines.items():
        shown += texts[:_FAULTS_SHOWN]
        if len(texts) > _FAULTS_SHOWN:
            shown.append(f"… {len(texts) - _FAULTS_SHOWN} more of {who}: {kind} (--json has them all)")
    return shown


def _match_to_document(match: Played) -> dict[str, Any]:
    result = match.result
    fault = result.fault
    return {
        "match": match.id,
        "set": match.set,
        "number": match.match,
        "seats": list(match.seats),
        "scores": None if result.scores is None else list(result.scores),
        "places": list(result.places),
        "end": result.end,
        "fault": fault and {"seat": fault.seat, "kind": fault.kind.value, "message": fault.message},
    }


def write_estimate(estimate: Estimate | None, form: str) -> str:
    """Return an estimate and its error as people read them, a dash where there is none."""
    if estimate is None:
        return "–"
    value = f"{estimate.value:{form}}"
    return value if estimate.error95 is None else f"{value} ± {format(estimate.error95, form.lstrip('+'))}"


def estimate_to_document(estimate: Estimate | None) -> dict[str, float | None] | None:
    """Return an estimate as `--json` prints it."""
    if estimate is None:
        return None
    error = None if estimate.error95 is None else round(estimate.error95, 2)
    return {"value": round(estimate.value, 2), "error95": error}

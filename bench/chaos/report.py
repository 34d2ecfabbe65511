"""Report of a run: a table of the faults, one of the final checks, and JSON in bench/out."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.chaos.injector import Outcome
from bench.chaos.verdict import Check

OUT = Path(__file__).parents[1] / "out" / "chaos.json"
_MARKS = {True: "[green]✓[/]", False: "[red]✗[/]"}


def show(
    seed: int, outcomes: Sequence[Outcome], checks: Sequence[Check], figures: Mapping[str, float]
) -> None:
    """Print it all."""
    console = Console(width=None if sys.stdout.isatty() else 140)
    table = Table(title=f"Faults, seed {seed}", caption=_caption(figures))
    for heading, justify in (
        ("", "left"),
        ("fault", "left"),
        ("lasted", "right"),
        ("results meanwhile (usual)", "right"),
        ("first result after", "right"),
        ("in loops", "right"),
        ("all blocks after", "right"),
        ("pages after", "right"),
        ("forfeits", "right"),
    ):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for each in outcomes:
        table.add_row(
            _MARKS[each.holds],
            escape(each.fault),
            _seconds(each.lasted_s),
            f"{each.results} ({each.usual:.0f})" if each.usual >= 1 else str(each.results),
            _seconds(each.first_s),
            "" if each.first_s is None or not each.loop_s else f"{each.first_s / each.loop_s:.0f}",
            _seconds(each.blocks_s),
            _seconds(each.pages_s),
            str(each.forfeits),
        )
    console.print(table)
    for each in outcomes:
        for words in (*each.wrong, *each.notes):
            console.print(
                f"{_MARKS[False] if words in each.wrong else ' '} {escape(each.fault)}: {escape(words)}"
            )
    ends = Table(title="At the end")
    for heading in ("", "must hold", "found"):
        ends.add_column(heading)
    for check in checks:
        ends.add_row(_MARKS[check.holds], escape(check.statement), escape(check.found))
    console.print(ends)


def write(
    seed: int, outcomes: Sequence[Outcome], checks: Sequence[Check], figures: Mapping[str, float]
) -> None:
    """Write it to bench/out/chaos.json."""
    OUT.parent.mkdir(exist_ok=True)
    document = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seed": seed,
        "figures": dict(figures),
        "faults": [asdict(each) | {"holds": each.holds} for each in outcomes],
        "checks": [asdict(each) for each in checks],
    }
    OUT.write_text(json.dumps(document, indent=1))


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


def _caption(figures: Mapping[str, float]) -> str:
    machine = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    return f"{machine}; " + ", ".join(f"{name} {value:,.4g}" for name, value in figures.items())

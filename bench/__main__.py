"""`make bench`: measure, print a table, write bench/out/figures.json.

`make bench ARGS="rules referee"` measures only those, `make bench ARGS="analyse --matches 3"` fewer matches, where a benchmark has many.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import asdict
from importlib import import_module
from inspect import signature
from pathlib import Path

from rich.console import Console
from rich.table import Table

import arena.ratings  # noqa: F401 - sets the threads of NumPy, which benchmarks may load before it
from bench import machine
from bench.figures import Figure
from bench.machine import MAX_LOAD, Machine

MODULES = (
    "rules",
    "rl",
    "selfplay",
    "schedule",
    "race",
    "referee",
    "sandbox",
    "records",
    "first_run",
    "creating",
    "tournament",
    "endings",
    "live",
    "ratings",
    "match_chances",
    "analyse",
    "pages",
    "replays",
)
OUT = Path(__file__).parent / "out"


def measure(names: list[str], matches: int | None = None) -> dict[str, list[Figure]]:
    """Run the named benchmarks one after the other; `matches` is for those that take a number of matches."""
    console = Console(stderr=True)
    figures = {}
    for name in names:
        with console.status(f"measuring {name}"):
            run = import_module(f"bench.{name}").measure
            takes = matches is not None and "matches" in signature(run).parameters
            figures[name] = run(matches=matches) if takes else run()
    return figures


def show(figures: dict[str, list[Figure]], before: Machine, after: Machine) -> None:
    """Print the table, one row per figure, and which hour it was measured in."""
    table = Table(
        title="Figures",
        caption=f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores\n"
        f"before: {before}\nafter: {after}",
    )
    for heading in ("", "figure", "value", "limit", "note"):
        table.add_column(heading, justify="right" if heading in {"value", "limit"} else "left")
    marks = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}
    for group in figures.values():
        for figure in group:
            sign = "≥" if figure.at_least else "≤"
            limit = "" if figure.limit is None else f"{sign} {figure.limit:,.6g} {figure.unit}"
            table.add_row(
                marks[figure.holds], figure.name, f"{figure.value:,.6g} {figure.unit}", limit, figure.note
            )
        table.add_section()
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(table)
    if before.load > MAX_LOAD:
        console.print(
            f"[yellow]The machine was busy when this began (load {before.load:.2f}, more than {MAX_LOAD}): "
            "the figures cannot be compared with others.[/]"
        )


def main() -> None:
    """Measure what was asked for; exit with 1 if a figure misses its limit."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MODULES))
    parser.add_argument("--matches", type=int, metavar="N", help="matches of each game; of analyse")
    options = parser.parse_args()
    names = options.names or list(MODULES)
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}; there are {', '.join(MODULES)}")
    before = machine.look()
    figures = measure(names, options.matches)
    after = machine.look()
    show(figures, before, after)
    OUT.mkdir(exist_ok=True)
    rows = [
        {"group": name, **asdict(figure), "holds": figure.holds}
        for name, group in figures.items()
        for figure in group
    ]
    (OUT / "figures.json").write_text(
        json.dumps(
            {
                "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "before": asdict(before),
                "after": asdict(after),
                "figures": rows,
            },
            indent=1,
        )
    )
    if any(row["holds"] is False for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()

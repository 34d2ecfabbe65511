"""`make bench`: measure, print a table, write bench/out/figures.json.

`make bench ARGS="rules referee"` measures only those.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

import arena.ratings  # noqa: F401 - sets the threads of NumPy, which benchmarks may load before it
from bench.figures import Figure

MODULES = (
    "rules",
    "schedule",
    "referee",
    "sandbox",
    "records",
    "creating",
    "tournament",
    "endings",
    "live",
    "ratings",
    "pages",
)
OUT = Path(__file__).parent / "out"


def measure(names: list[str]) -> dict[str, list[Figure]]:
    """Run the named benchmarks one after the other."""
    console = Console(stderr=True)
    figures = {}
    for name in names:
        with console.status(f"measuring {name}"):
            figures[name] = import_module(f"bench.{name}").measure()
    return figures


def show(figures: dict[str, list[Figure]]) -> None:
    """Print the table, one row per figure."""
    table = Table(
        title="Figures",
        caption=f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores",
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
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def main() -> None:
    """Measure what was asked for; exit with 1 if a figure misses its limit."""
    names = sys.argv[1:] or list(MODULES)
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}; there are {', '.join(MODULES)}")
    figures = measure(names)
    show(figures)
    OUT.mkdir(exist_ok=True)
    rows = [
        {"group": name, **asdict(figure), "holds": figure.holds}
        for name, group in figures.items()
        for figure in group
    ]
    (OUT / "figures.json").write_text(
        json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "figures": rows}, indent=1)
    )
    if any(row["holds"] is False for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()

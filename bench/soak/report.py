"""Report of a soak in Markdown with charts, in bench/out/soak."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.chaos.injector import Outcome
from bench.chaos.verdict import Check
from bench.machine import Machine
from bench.soak.growth import Growth
from bench.soak.recorder import Recorder
from bench.soak.svg_chart import Points, line_chart

OUT = Path(__file__).parents[1] / "out" / "soak"
_MARKS = {True: "✓", False: "✗"}
_LARGEST_TABLES = 6


@dataclass
class Findings:
    """Findings of a soak."""

    seed: int
    before: Machine
    began: float = field(default_factory=time.time)
    lasted_s: float = 0.0
    results: int = 0
    spared: Sequence[str] = ()
    outcomes: list[Outcome] = field(default_factory=list)
    growths: list[Growth] = field(default_factory=list)
    visits: Mapping[str, Any] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return all(check.holds for check in self.checks)


def write(findings: Findings, recorder: Recorder, after: Machine) -> Path:
    """Write the report and its charts; return the report's place."""
    OUT.mkdir(parents=True, exist_ok=True)
    recorder.write(OUT / "samples.json")
    for name, text in _charts(recorder).items():
        (OUT / f"{name}.svg").write_text(text)
    file = OUT / "report.md"
    file.write_text("\n".join(_lines(findings, recorder, after)) + "\n")
    return file


def _charts(recorder: Recorder) -> dict[str, str]:
    def of_parts(value: str) -> dict[str, Points]:
        return {
            name: [(use.at_s, float(getattr(use, value))) for use in uses]
            for name, uses in recorder.uses.items()
        }

    last = recorder.sizes[-1].tables_mb if recorder.sizes else {}
    largest = sorted(last, key=lambda name: -last[name])[:_LARGEST_TABLES]
    return {
        "memory": line_chart("Memory of each part", "MB", of_parts("own_mb")),
        "descriptors": line_chart("Open descriptors", "", of_parts("descriptors")),
        "threads": line_chart("Threads", "", of_parts("threads")),
        "bots": line_chart(
            "Processes of hosted bots",
            "",
            {name: points for name, points in of_parts("bots").items() if name.startswith("play")},
        ),
        "results": line_chart(
            "Results stored", "", {"results": [(size.at_s, float(size.results)) for size in recorder.sizes]}
        ),
        "tables": line_chart(
            "The largest tables",
            "MB",
            {
                name: [(size.at_s, size.tables_mb.get(name, 0.0)) for size in recorder.sizes]
                for name in largest
            },
        ),
        "redis": line_chart(
            "Memory of Redis", "MB", {"redis": [(size.at_s, size.redis_mb) for size in recorder.sizes]}
        ),
    }


def _lines(findings: Findings, recorder: Recorder, after: Machine) -> list[str]:
    began = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(findings.began))
    machine = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    rate, faults = findings.results / max(findings.lasted_s, 1.0), len(findings.outcomes)
    return [
        f"# Soak of {began}",
        "",
        f"{findings.results:,} matches in {findings.lasted_s / 3600:.2f} hours ({rate:.1f} a second), {faults} faults, seed {findings.seed}; {machine}.",
        "",
        f"Before: {findings.before}. After: {after}.",
        "",
        "## What must hold",
        "",
        *_table(
            ("", "", "found"),
            [(_MARKS[check.holds], check.statement, check.found) for check in findings.checks],
        ),
        "",
        "## Growth after the first quarter",
        "",
        f"Of the parts that no fault meets ({', '.join(findings.spared)}): in a tenth of the run, early and at the end; medians of memory, and of descriptors (without those of hosted bots) and threads what a tenth of the looks did not exceed.",
        "",
        *_table(
            (
                "part",
                "memory of its own",
                "growth",
                "with its share of files",
                "resident",
                "descriptors",
                "threads",
            ),
            [
                (
                    growth.part,
                    f"{growth.early.own_mb:.1f} → {growth.late.own_mb:.1f} MB",
                    f"{growth.memory:+.1%}",
                    f"{growth.early.memory_mb:.1f} → {growth.late.memory_mb:.1f} MB ({growth.mapped_too:+.1%})",
                    f"{growth.early.resident_mb:.1f} → {growth.late.resident_mb:.1f} MB ({growth.resident:+.1%})",
                    f"{growth.early.descriptors} → {growth.late.descriptors}",
                    f"{growth.early.threads} → {growth.late.threads}",
                )
                for growth in findings.growths
            ],
        ),
        "",
        *[f"![{name}]({name}.svg)" for name in _charts(recorder)],
        "",
        "## Faults",
        "",
        *_table(
            ("", "fault", "lasted", "first result after", "blocks after", "pages after", "wrong"),
            [
                (
                    _MARKS[outcome.holds],
                    outcome.fault,
                    f"{outcome.lasted_s:.1f} s",
                    _seconds(outcome.first_s),
                    _seconds(outcome.blocks_s),
                    _seconds(outcome.pages_s),
                    "; ".join(outcome.wrong),
                )
                for outcome in findings.outcomes
            ],
        ),
        "",
        "## Visitors",
        "",
        *_visits(findings.visits),
        "",
        "## The store at the end",
        "",
        *_tables(recorder),
    ]


def _visits(visits: Mapping[str, Any]) -> list[str]:
    counts: Mapping[str, int] = visits.get("counts", {})
    verdicts: Sequence[float] = visits.get("verdict_s", ())
    lines = _table(("what", "how often"), [(what, f"{counts[what]:,}") for what in sorted(counts)])
    lines += ["", f"Longest time in which neither web served a page: {visits.get('both_away_s', 0):.1f} s."]
    if len(verdicts) > 1:
        p99 = quantiles(verdicts, n=100)[-1]
        lines.append(f"From upload to verdict: median {median(verdicts):.1f} s, p99 {p99:.1f} s.")
    return [*lines, *(f"- {text}" for text in visits.get("wrong", ()))]


def _tables(recorder: Recorder) -> list[str]:
    if not recorder.sizes:
        return []
    first, last = recorder.sizes[0], recorder.sizes[-1]
    rows = [
        (name, f"{first.tables_mb.get(name, 0):,.1f} MB", f"{size:,.1f} MB")
        for name, size in sorted(last.tables_mb.items(), key=lambda item: -item[1])
        if size >= 0.1
    ]
    return _table(("table", "at the begin", "at the end"), rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        f"| {' | '.join(heads)} |",
        f"|{' --- |' * len(heads)}",
        *(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows),
    ]


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"

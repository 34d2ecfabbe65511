"""Findings of `arena bot ci`, also as Markdown: a summary of the run, or a comment on a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from signal import Signals

from arena.cli.match.version_test import FaultOf, VersionTest
from arena.devtools.findings import Finding, Verdict
from arena.match.faults import FaultKind
from arena.ratings.sprt import Sprt

_MAX_FAULTS = 5
_MAX_FAULT_CHARS = 300
_SIGNS = {Verdict.OK: "✅", Verdict.WARNING: "⚠️", Verdict.FAILED: "❌"}


class ExitCode(IntEnum):
    """The exit codes of `arena bot ci`."""

    FINE = 0
    """Better, not worse, or not shown to be worse."""
    WORSE = 1
    BROKEN = 2


@dataclass(frozen=True, slots=True)
class TestOfGame:
    """A test in one game; one against a bot that is no earlier version is a measure, which fails no build."""

    game: str
    opponent: str
    is_measure: bool
    result: VersionTest

    @property
    def is_broken(self) -> bool:
        """Return whether the bot ended a match by a fault that is not one of time, which a busy machine may cause."""
        return any(fault.bot == 0 and fault.kind is not FaultKind.TIMEOUT for fault in self.result.faults)

    @property
    def is_worse(self) -> bool:
        """Return whether the bot is shown to be worse than an earlier version."""
        return self.result.look.accepted == "elo0" and not self.is_measure

    @property
    def verdict(self) -> str:
        """Return the result in words."""
        elo = self.result.elo
        if self.is_broken:
            return "❌ broken"
        if elo is not None and elo.error95 is not None and elo.value - elo.error95 > 0:
            return "✅ better"
        match self.result.look.accepted:
            case "elo1":
                return "✅ not worse"
            case "elo0":
                return "weaker" if self.is_measure else "❌ worse"
        return "undecided"


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found; `submitted` has the versions that were submitted, with what came of each."""

    bot: str
    findings: tuple[Finding, ...]
    sprt: Sprt
    tests: tuple[TestOfGame, ...] = ()
    submitted: tuple[tuple[str, str], ...] = ()
    interrupted_by: Signals | None = None
    """The signal that has broken it off, if one has: then this is what was found until then."""

    @property
    def exit_code(self) -> ExitCode:
        """Return the exit code: the worst that was found."""
        if (
            any(finding.verdict is Verdict.FAILED for finding in self.findings)
            or any(test.is_broken for test in self.tests)
            or any(state == "failed" for _, state in self.submitted)
        ):
            return ExitCode.BROKEN
        return ExitCode.WORSE if any(test.is_worse for test in self.tests) else ExitCode.FINE

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        lines = [f"### Bot Arena: {_plain(self.bot)}", ""]
        if self.interrupted_by is not None:
            lines += ["⚠️ Interrupted: this is what was found until then.", ""]
        if self.tests:
            lines += _table(self.tests, self.sprt)
        lines += [
            f"{_SIGNS[finding.verdict]} **{finding.what}**: {_plain(finding.text)}"
            + (f" — {_plain(finding.remedy)}" if finding.remedy else "")
            + "  "
            for finding in self.findings
            if finding.verdict is not Verdict.OK or not self.tests
        ]
        for test in self.tests:
            lines += _faults(test)
        lines += [f"Submitted {_plain(name)}: {state}  " for name, state in self.submitted]
        return "\n".join(lines).rstrip() + "\n"

    def to_document(self) -> dict[str, object]:
        """Return the document that `--json` prints."""
        return {
            "bot": self.bot,
            "exit_code": int(self.exit_code) if self.interrupted_by is None else 128 + self.interrupted_by,
            "interrupted": self.interrupted_by is not None,
            "sprt": {"elo0": self.sprt.elo0, "elo1": self.sprt.elo1},
            "findings": [
                {"what": each.what, "verdict": each.verdict, "text": each.text, "remedy": each.remedy}
                for each in self.findings
            ],
            "tests": [
                {
                    "game": each.game,
                    "against": each.opponent,
                    "verdict": each.verdict.lstrip("✅❌ "),
                    "accepted": each.result.look.accepted,
                    "llr": round(each.result.look.llr, 3),
                    "matches": each.result.matches,
                    "elo": each.result.elo and round(each.result.elo.value, 1),
                    "error95": each.result.elo and each.result.elo.error95,
                    "wins": each.result.wins,
                    "draws": each.result.draws,
                    "losses": each.result.losses,
                    "faults": sum(fault.bot == 0 for fault in each.result.faults),
                }
                for each in self.tests
            ],
            "submitted": [{"version": name, "state": state} for name, state in self.submitted],
        }


def _table(tests: Sequence[TestOfGame], sprt: Sprt) -> list[str]:
    lines = [
        "| game | against | result | Elo | won–drawn–lost | LLR |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    for test in tests:
        result, elo = test.result, test.result.elo
        error = "" if elo is None or elo.error95 is None else f" ± {elo.error95:.0f}"
        lines.append(
            f"| {test.game} | {_plain(test.opponent)} | {test.verdict} | "
            f"{'–' if elo is None else f'{elo.value:+.0f}'}{error} | "
            f"{result.wins}–{result.draws}–{result.losses} | {result.look.llr:.2f} |"
        )
    low, high = sprt.bounds
    lines += [
        "",
        f"SPRT of {sprt.elo0:g} Elo against {sprt.elo1:g}; it ends at an LLR of {low:.2f} (worse) or {high:.2f} (not worse).",
        "",
    ]
    return lines


def _faults(test: TestOfGame) -> list[str]:
    mine = [fault for fault in test.result.faults if fault.bot == 0]
    lines = [f"❌ fault in {test.game}: {_fault(fault)}  " for fault in mine[:_MAX_FAULTS]]
    if len(mine) > _MAX_FAULTS:
        lines.append(f"… and {len(mine) - _MAX_FAULTS} more  ")
    theirs = len(test.result.faults) - len(mine)
    if theirs:
        lines.append(f"⚠️ {_plain(test.opponent)} ended {theirs} of its matches by a fault  ")
    return lines


def _fault(fault: FaultOf) -> str:
    last = fault.message.splitlines()[-1] if fault.message else ""
    return f"{fault.kind}: {_plain(last[:_MAX_FAULT_CHARS])}"


def _plain(text: str) -> str:
    """Write text that comes from a bot so that it can neither make markup nor call anyone."""
    text = " ".join(text.split())
    for sign in "\\`*[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("@", "@\N{ZERO WIDTH SPACE}") if text.startswith("@") or " @" in text else text

"""`arena match --profile`: which decisions were slow, and where the bots in Python spent the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from pathlib import Path

from markupsafe import Markup

from arena.cli.match.contenders import Contender
from arena.cli.match.contest import Contest
from arena.cli.match.match_tally import Played
from arena.cli.support.fitted_table import FittedTable, name, number, text
from arena.cli.support.output import echo, print_table
from arena.core.errors import UsageError
from arena.devtools.flame_graph import draw_flames, table, tabulate
from arena.devtools.slow_decisions import (
    ProfiledDecision,
    SlowDecision,
    add_up,
    by_clock,
    locate,
    read_profiles,
)
from arena.games import registry
from arena.match.record import Record
from arena.web.http.security_headers import FILE_POLICY

_SHOWN = 10
_HEADINGS = ("match:step", "bot", "seat", "chosen", "ms")
_PAGE = Markup("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
  body {{ max-width: 75rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }}
  .flames {{ position: relative; margin: 1rem 0; font: .8rem/1.5rem ui-monospace, monospace; }}
  .flames div {{
    position: absolute; box-sizing: border-box; height: 1.5rem; overflow: hidden; padding-left: .25rem; border-radius: 2px;
    color: #222; background: hsl(var(--hue) 85% 70%); box-shadow: inset -1px 0 Canvas; white-space: nowrap;
  }}
  .scroll {{ overflow-x: auto; }}
  table {{ border-collapse: collapse; }}
  th, td {{ padding: .25rem .75rem .25rem 0; border-bottom: 1px solid GrayText; text-align: left; white-space: nowrap; }}
  .number {{ text-align: right; font-variant-numeric: tabular-nums; }}
</style>
<h1>{title}</h1>
{parts}
</html>
""")


@dataclass(frozen=True, slots=True)
class Profiled:
    """Profile of a series of matches."""

    slow: tuple[SlowDecision, ...]
    parts: tuple[tuple[Contender, tuple[ProfiledDecision, ...]], ...]
    """The author's bots, with what was sampled of each; nothing of those that are not in Python."""


def authors_bots(contest: Contest) -> tuple[Contender, ...]:
    """Return the bots that are not the house's.  Raises UsageError where there are none."""
    own = {each.program or each.address: each for each in reversed(contest.contenders) if not _is_house(each)}
    if not own:
        raise UsageError("profile: all bots are house bots; name a file or a project of yours")
    return tuple(reversed(own.values()))


def _is_house(contender: Contender) -> bool:
    return contender.program.startswith("house:")


def find_slow(
    contest: Contest, played: Sequence[Played], records: Sequence[Record], folder: Path
) -> Profiled:
    """Look at the records of matches, and at the profiles in a folder."""
    own = authors_bots(contest)
    labels = [None if _is_house(each) else each.label for each in contest.contenders]
    slow = by_clock(records, {match.id: [labels[bot] for bot in match.seats] for match in played})
    parts = [(each, tuple(read_profiles(folder, [each.program.removeprefix("file:")]))) for each in own]
    return Profiled(tuple(slow), tuple(parts))


def print_slow(found: Profiled, out: Path) -> None:
    """Print the slowest decisions, and where the graph is."""
    columns = (name("match:step"), name("bot"), number("seat", spare=1), text("chosen"), number("ms"))
    shown = FittedTable("Slowest decisions", columns)
    for row in _rows(found.slow[:_SHOWN]):
        shown.add(*row)
    print_table(shown)
    for bot, sampled in found.parts:
        if not sampled:
            echo(f"{bot.label}: not in Python with our SDK, so no flame graph")
    echo(f"flame graph and tables in {out}")


def write_report(contest: Contest, records: Sequence[Record], found: Profiled, out: Path) -> None:
    """Write the page.  Raises UsageError."""
    by_id = {record.match: record for record in records}
    parts: list[Markup] = []
    for bot, sampled in found.parts:
        parts.append(Markup("<h2>{}</h2>").format(bot.label))
        if not sampled:
            parts.append(Markup("<p>It is not in Python with our SDK: there is no flame graph of it.</p>"))
            continue
        stacks = add_up(sampled)
        rows = []
        for each in sampled:
            step, action = locate(each, by_id[each.match], contest.time) if each.match in by_id else ("", "")
            rows.append((f"{each.match}:{step}", str(each.seat), action, f"{each.ms:.1f}"))
        parts.append(
            Markup(
                "<p>The {} slowest decisions together, {} ms. A call is as wide as its time; below it are the calls that it made."
                " Samples cover {} % of the time; the rest counts to the calls that were seen last.</p>"
            ).format(len(sampled), f"{_sum_ms(sampled):.0f}", f"{100 * _covered(sampled):.0f}")
            + draw_flames(stacks)
            + Markup("<h3>Functions</h3>")
            + tabulate(stacks)
            + Markup("<h3>The decisions, by what they took inside of the bot</h3>")
            + table(("match:step", "seat", "chosen", "ms"), rows)
        )
    parts.append(
        Markup(
            "<h2>All bots of yours, by the clock</h2>"
            "<p>The clock does not charge time in which a bot waited for a processor; inside of the bot it counts.</p>{}"
        ).format(table(_HEADINGS, _rows(found.slow)))
    )
    title = f"{registry.find(contest.game).title}: slowest decisions"
    try:
        out.write_text(
            _PAGE.format(policy=FILE_POLICY, title=title, parts=Markup("\n").join(parts)), encoding="utf-8"
        )
    except OSError as error:
        raise UsageError(
            f"profile {str(out)!r}: {error.strerror}; give a file that can be written"
        ) from error


def _sum_ms(sampled: Sequence[ProfiledDecision]) -> float:
    return sum(each.ms for each in sampled) or 1.0


def _covered(sampled: Sequence[ProfiledDecision]) -> float:
    return sum(each.seen for each in sampled) / _sum_ms(sampled)


def _rows(slow: Sequence[SlowDecision]) -> list[tuple[str, ...]]:
    return [
        (
            each.reference,
            each.bot,
            str(each.seat),
            each.action,
            "–" if isinf(each.ms) else f"{each.ms:.1f}",
        )
        for each in slow
    ]

"""The losses of a bot's decisions in the terminal, and as JSON: all in percent of the chance to win, ± a 95 % interval."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from arena.analysis import Group, Loss, costliest, sum_up, sum_up_tags
from arena.analysis.loss_search import Found
from arena.analysis.summary import BY, open_rivals
from arena.cli.support.fitted_table import FittedTable, name, number, text
from arena.cli.support.output import echo, print_table
from arena.match.record import Record

_QUANTILE = 1.96
_HEADINGS = {
    "part": "part of the match",
    "phase": "phase",
    "opponents": "against",
    "kind": "kind of decision",
}
_MAX_REPLIES = 5
_OPEN = "≈"
"""The mark of a decision of a match whose costliest one is not certain."""


Tags = Mapping[tuple[str, int], Sequence[str]]
"""The tags that bots noted, by match and step."""


def print_tables(records: Sequence[Record], found: Sequence[Found], tags: Tags) -> None:
    """Print where the chance to win was lost, and the costliest decisions."""
    losses = [loss for each in found for loss in each.losses]
    if not losses:
        echo("There was nothing to choose in these matches.")
        return
    bots = ", ".join(sorted({loss.decision.bot for loss in losses}))
    open_ones = sum(not each.certain for each in found)
    echo(
        f"{bots}: {len(losses)} decisions in {len(records)} matches; losses in percent of the chance to win, ± 95 %"
    )
    for by, heading in _HEADINGS.items():
        print_table(_group_table(heading, sum_up(losses, by)))
    if tagged := sum_up_tags(losses, tags):
        print_table(_group_table("tag", tagged))
    rivals = open_rivals(found)
    print_table(_costliest_table(costliest(losses), rivals))
    if rivals:
        echo(
            f"{_OPEN} another decision of the match may have cost as much (in {open_ones} of {len(found)} matches);"
            " --json and --out name it, --seconds gives more time"
        )


def to_document(records: Sequence[Record], found: Sequence[Found], tags: Tags) -> dict[str, Any]:
    """Return the same for programs; chances and losses as shares, 0 to 1, errors as half widths of 95 % intervals."""
    losses = [loss for each in found for loss in each.losses]
    return {
        "matches": [
            {
                "match": record.match,
                "game": record.game,
                "decisions": len(each.losses),
                "certain": each.certain,
                "worst": each.worst and _loss_document(each.worst),
                "ties": [loss.decision.step for loss in each.ties],
            }
            for record, each in zip(records, found, strict=True)
        ],
        **{f"by_{by}": [_group_document(group) for group in sum_up(losses, by)] for by in BY},
        "by_tag": [_group_document(group) for group in sum_up_tags(losses, tags)],
        "costliest": [_loss_document(loss) for loss in costliest(losses)],
    }


def _group_table(heading: str, groups: Sequence[Group]) -> FittedTable:
    table = FittedTable(
        "", (name(heading), number("decisions"), number("lost a match"), number("lost a decision"))
    )
    for group in groups:
        table.add(
            group.name,
            str(group.decisions),
            _write(group.per_match, group.error / group.matches),
            f"{100 * group.lost / group.decisions:.2f}",
        )
    return table


def _costliest_table(losses: Sequence[Loss], rivals: Container[str]) -> FittedTable:
    columns = (
        name("match:step"),
        text("part", spare=2),
        text("against", spare=1),
        text("chosen"),
        text("better"),
    )
    chances = (number("lost"), number("chance then", spare=3))
    table = FittedTable("The costliest decisions", (*columns, *chances))
    for loss in losses:
        decision = loss.decision
        table.add(
            decision.reference,
            decision.part,
            decision.opponents,
            decision.chosen,
            loss.best,
            f"{_write(loss.loss, loss.error)} {_OPEN if decision.reference in rivals else ' '}",
            f"{100 * loss.chance:.0f}",
        )
    return table


def _write(share: float, error: float) -> str:
    return f"{100 * share:.1f} ± {100 * _QUANTILE * error:.1f}"


def _group_document(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "decisions": group.decisions,
        "matches": group.matches,
        "lost": round(group.lost, 4),
        "error": round(_QUANTILE * group.error, 4),
    }


def _loss_document(loss: Loss) -> dict[str, Any]:
    decision = loss.decision
    return {
        "match": decision.match,
        "step": decision.step,
        "decision": decision.number,
        "seat": decision.seat,
        "bot": decision.bot,
        "part": decision.part,
        "phase": decision.phase,
        "opponents": decision.opponents,
        "kind": decision.kind,
        "chosen": decision.chosen,
        "best": loss.best,
        "chance": round(loss.chance, 4),
        "loss": round(loss.loss, 4),
        "error": round(_QUANTILE * loss.error, 4),
        "positions": loss.positions,
        "others": [
            {
                "action": reply.action,
                "gain": round(reply.gain, 4),
                "error": round(_QUANTILE * reply.error, 4),
            }
            for reply in loss.replies[:_MAX_REPLIES]
        ],
    }

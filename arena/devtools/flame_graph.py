"""A flame graph as HTML: who called whom, each call as wide as its time, and the same as a table.

choose ────────────────────────────────
_estimate ───────────────  _sort ──────        the outermost call is at the top
deal ───────
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from markupsafe import Markup

_NARROWEST = 0.002
"""Calls with less than this share of the time are left out of the graph: they would be narrower than a pixel."""
_MAX_ROWS = 25
_HUES = 50
"""Of the calls' colours, from red to yellow."""


@dataclass(slots=True)
class _Call:
    """A call with those that it made.  Mutable while the tree is built."""

    ms: float = 0.0
    made: dict[str, _Call] = field(default_factory=dict)


def draw_flames(stacks: Mapping[tuple[str, ...], float]) -> Markup:
    """Draw stacks, outermost call first, with their milliseconds; nothing if there are none."""
    root = _Call()
    for stack, ms in stacks.items():
        call = root
        call.ms += ms
        for name in stack:
            call = call.made.setdefault(name, _Call())
            call.ms += ms
    if not root.ms:
        return Markup()
    boxes: list[Markup] = []
    deepest = _draw(root, root.ms, 0.0, 0, boxes)
    return Markup('<div class="flames" style="height:{}rem">{}</div>').format(
        f"{1.6 * deepest:.1f}", Markup().join(boxes)
    )


def _draw(call: _Call, total: float, left: float, depth: int, boxes: list[Markup]) -> int:
    """Draw the calls that a call made, side by side; return how deep they go."""
    deepest = depth
    for name, each in sorted(call.made.items()):
        share = each.ms / total
        if share >= _NARROWEST:
            boxes.append(
                Markup(
                    '<div style="left:{}%;width:{}%;top:{}rem;--hue:{}" title="{}: {} ms, {} %">{}</div>'
                ).format(
                    f"{100 * left:.3f}",
                    f"{100 * share:.3f}",
                    f"{1.6 * depth:.1f}",
                    crc32(name.encode()) % _HUES,
                    name,
                    f"{each.ms:.1f}",
                    f"{100 * share:.1f}",
                    name.partition(" (")[0].rpartition("<locals>.")[2],
                )
            )
            deepest = max(deepest, _draw(each, total, left, depth + 1, boxes))
        left += share
    return max(deepest, depth)


def tabulate(stacks: Mapping[tuple[str, ...], float]) -> Markup:
    """Write the calls that took longest as a table: the time in them alone, and with all that they called."""
    alone: Counter[str] = Counter()
    whole: defaultdict[str, float] = defaultdict(float)
    for stack, ms in stacks.items():
        alone[stack[-1]] += ms  # type: ignore[assignment]  # counters add up any numbers
        for name in set(stack):
            whole[name] += ms
    rows = [(f"{ms:.1f}", f"{whole[name]:.1f}", name) for name, ms in alone.most_common(_MAX_ROWS)]
    return table(("ms in it", "ms with its calls", "function"), rows)


def table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Write a table; numbers are in the columns whose headings begin with `ms`, `seat` or `step`."""
    numeric = [heading.startswith(("ms", "seat", "step")) for heading in headings]
    head = Markup().join(
        Markup('<th scope="col"{}>{}</th>').format(_class(of=right), heading)
        for heading, right in zip(headings, numeric, strict=True)
    )
    body = Markup().join(
        Markup("<tr>{}</tr>").format(
            Markup().join(
                Markup("<td{}>{}</td>").format(_class(of=right), cell)
                for cell, right in zip(row, numeric, strict=True)
            )
        )
        for row in rows
    )
    return Markup(
        '<div class="scroll" tabindex="0"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(head, body)


def _class(*, of: bool) -> Markup:
    return Markup(' class="number"') if of else Markup()

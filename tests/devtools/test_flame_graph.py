"""Flame graphs as HTML."""

from __future__ import annotations

import re

from arena.devtools.flame_graph import draw_flames, tabulate

STACKS = {
    ("choose (a.py:1)",): 10.0,
    ("choose (a.py:1)", "think (a.py:9)"): 60.0,
    ("choose (a.py:1)", "think (a.py:9)", "<lambda> (a.py:12)"): 30.0,
    ("choose (a.py:1)", "rest (a.py:20)"): 0.1,
}


def widths(page: str) -> dict[str, float]:
    return {name: float(width) for width, name in re.findall(r'width:([\d.]+)%;[^>]*title="(\S+) \(', page)}


def test_a_call_is_as_wide_as_the_time_in_it_and_in_those_that_it_made() -> None:
    found = widths(draw_flames(STACKS))
    assert found["choose"] == 100
    assert round(found["think"], 1) == 89.9
    assert round(found["&lt;lambda&gt;"], 1) == 30.0


def test_calls_narrower_than_a_pixel_are_left_out_of_the_graph_alone() -> None:
    assert "rest" not in widths(draw_flames(STACKS))
    assert "rest (a.py:20)" in tabulate(STACKS)


def test_nothing_is_drawn_of_no_time() -> None:
    assert draw_flames({}) == ""


def test_recursion_counts_once() -> None:
    stacks: dict[tuple[str, ...], float] = {("walk (a.py:1)", "walk (a.py:1)"): 5.0}
    assert '<td class="number">5.0</td><td class="number">5.0</td><td>walk (a.py:1)</td>' in tabulate(stacks)

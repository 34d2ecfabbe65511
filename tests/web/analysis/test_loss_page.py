"""The report of `arena bot analyse` as a page: it stands alone, in both languages, with a board at each costly decision."""

from __future__ import annotations

import re
from functools import cache

import pytest

from arena.analysis import costliest
from arena.core.notes import Candidate, Notes
from arena.games import registry
from arena.match.seat_notes import SeatNotes
from arena.web.analysis.loss_page import draw_page
from tests.analysis.test_losses import found, rough


@cache
def page(game: str = "land_unter", language: str = "en") -> str:
    return draw_page([found(game)], language)


@pytest.mark.parametrize("game", registry.GAMES)
def test_page_fetches_nothing(game: str) -> None:
    assert not re.search(r'<script|<link|<img|@import|url\(|(src|href)="(?!#)', page(game))


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_costly_decision_has_its_board(game: str) -> None:
    shown = costliest(found(game).losses)
    assert shown
    assert page(game).count(f'<div class="board board-{game}">') == len(shown)


def test_a_decision_is_named_so_that_it_can_be_forked() -> None:
    worst = found("land_unter").worst
    assert worst is not None
    assert f"{worst.decision.match}:{worst.decision.step}" in page()


def test_ties_of_the_costliest_decision_are_marked_in_their_rows_with_one_legend() -> None:
    match = rough((0.15, 0.03), (0.2, 0.03))
    tie, worst = (each.decision for each in match.losses)
    drawn = draw_page([match])
    rows = re.findall(r"<summary>(.*?)</summary>", drawn, re.DOTALL)
    assert ["≈" in row for row in rows] == [True, True]
    assert drawn.index("<table>") < drawn.index("≈")
    assert f"May have cost as much: <code>{tie.reference}</code>" in drawn
    assert f"May have cost as much: <code>{worst.reference}</code>" in drawn
    assert len(re.findall(r"costliest decision is not certain", drawn)) == 1


def test_what_the_bot_noted_stands_beside_its_decision() -> None:
    worst = found("land_unter").worst
    assert worst is not None
    decision = worst.decision
    noted = Notes((Candidate(decision.chosen, 0.25),), (("win", 0.75),), "a <i>plan</i>")
    drawn = draw_page(
        [found("land_unter")], notes={decision.match: {decision.seat: SeatNotes(((decision.step, noted),))}}
    )
    assert drawn.count("What it noted:") == 1
    assert "a &lt;i&gt;plan&lt;/i&gt;" in drawn
    assert "<bdi>win</bdi> 0.75" in drawn


def test_page_speaks_spanish() -> None:
    spanish = page(language="es")
    assert '<html lang="es">' in spanish
    assert "Dónde pierde" in spanish

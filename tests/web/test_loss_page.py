"""The report of `arena bot analyse` as a page: it stands alone, in both languages, with a board at each costly decision."""

from __future__ import annotations

import re
from functools import cache

import pytest

from arena.analysis import costliest
from arena.games import registry
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


def test_ties_of_the_costliest_decision_are_told() -> None:
    match = rough((0.15, 0.03), (0.2, 0.03))
    tie, worst = (each.decision for each in match.losses)
    told = f"Instead of {worst.match}:{worst.step}, the costliest may be one of these steps: {tie.step}."
    assert told in draw_page([match])


def test_page_speaks_spanish() -> None:
    spanish = page(language="es")
    assert '<html lang="es">' in spanish
    assert "Dónde pierde" in spanish

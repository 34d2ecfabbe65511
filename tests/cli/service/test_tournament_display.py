"""What `arena up` writes of the tournaments of its store: how far they are, and the tables in the end."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from arena.accounts.actors import OPERATOR
from arena.cli.service import tournament_display
from arena.cli.service.tournament_display import TournamentDisplay
from arena.competition import lifecycle
from arena.rankings import public_ratings
from arena.storage import Store
from tests.decided_matches import new_tournament, play

Look = Callable[[], str]


@pytest.fixture
def look(store: Store, monkeypatch: pytest.MonkeyPatch) -> Look:
    """Look at the store; gives what is written thereupon."""
    monkeypatch.setattr(tournament_display, "_EVERY_S", 0.0)
    written = io.StringIO()
    display = TournamentDisplay(Console(file=written, width=160))

    def look() -> str:
        written.seek(0)
        written.truncate()
        display.look(store)
        return written.getvalue()

    return look


def new(store: Store, name: str, *, rated: bool = False) -> int:
    options = {} if rated else {"hands": 1}
    return new_tournament(store, names=("greedy", "random"), options=options, name=name).id


def test_a_tournament_that_is_over_at_the_first_look_has_its_table_written(store: Store, look: Look) -> None:
    play(store, new(store, "Spring"))
    text = look()
    assert "Spring" in text
    assert "greedy" in text
    assert look() == ""


def test_a_tournament_that_runs_has_a_line_for_each_tenth(store: Store, look: Look) -> None:
    tournament = new(store, "Spring")
    assert look() == "Spring: 0 of 2 matches\n"
    assert look() == ""
    play(store, tournament)
    assert look().startswith("Spring: 2 of 2 matches\n")


def test_the_table_of_a_tournament_that_ends_is_written_once(store: Store, look: Look) -> None:
    tournament = new(store, "Spring")
    look()
    play(store, tournament)
    assert "points" in look()
    assert look() == ""


def test_a_tournament_that_begins_and_ends_between_two_looks_is_written(store: Store, look: Look) -> None:
    play(store, new(store, "Spring"))
    look()
    play(store, new(store, "Summer"))
    text = look()
    assert "Summer: 2 of 2 matches" in text
    assert "Spring" not in text


def test_a_tournament_that_was_paused_is_written_again_when_it_goes_on(store: Store, look: Look) -> None:
    tournament = new(store, "Spring")
    look()
    lifecycle.pause(store, tournament, OPERATOR)
    assert look() == ""
    lifecycle.resume(store, tournament, OPERATOR)
    play(store, tournament)
    assert "Spring: 2 of 2 matches" in look()


def test_an_elo_table_is_written_when_it_has_been_computed(store: Store, look: Look) -> None:
    tournament = new(store, "Spring", rated=True)
    look()
    play(store, tournament)
    assert "Elo" not in look()
    public_ratings.refresh(store, "lost_cities/standard")
    assert "Elo · lost_cities, standard" in look()

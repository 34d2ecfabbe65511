"""Steps of matches in words, in the reader's language."""

from __future__ import annotations

import random
import re

import pytest

from arena.games import registry
from arena.games.kernel import Chance, Choice, Played
from arena.match import record
from arena.match.clock import STANDARD
from arena.reports.live_matches import LiveMatchRow
from arena.reports.match_details import SeatRow
from arena.web.boards import action_words
from arena.web.docs import markdown_documents
from arena.web.matches import stepper
from arena.web.matches.replay_points import replay, write_line
from arena.web.ui.templating import fragment
from tests.games.playing import TABLES, Configuration, play

RECORDS = markdown_documents.files("records")


def steps_of(game: str, language: str) -> str:
    course = stepper.course(record.from_json(RECORDS[f"{game}.json"].read_text()), STANDARD, "/match")
    return str(stepper.page(course, language, number=0, view=stepper.ALL)["steps"])


@pytest.mark.parametrize(
    ("game", "english", "spanish"),
    [
        ("lifeboats", "took a sailor out of the", "sacó"),
        ("lost_cities", "drew from the pile", "robó"),
        ("bottle_imp", "to the devil", "diablo"),
        ("teotlatolli", "ended the turn", "terminó el turno"),
        ("land_unter", "played the", "jugó el"),
    ],
)
def test_the_list_of_steps_is_in_the_readers_language(game: str, english: str, spanish: str) -> None:
    assert english in steps_of(game, "en")
    assert english not in steps_of(game, "es")
    assert spanish in steps_of(game, "es").lower()


def test_a_step_in_words_keeps_its_notation_beside_it() -> None:
    line = write_line("lifeboats", Played(0, "leave o K"), 4.0, ("a", "b", "c"))
    assert (line.notation, line.words) == ("leave o K", "took an officer out of the black boat")


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_action_that_has_words_is_told_when_it_is_done_to_others_and_to_oneself(game: str) -> None:
    phrases = registry.package(game).phrases
    assert phrases.done.keys() == phrases.actions.keys()
    for pattern in phrases.done:
        others, own = (action_words.done(game, pattern, yours=yours) for yours in (False, True))
        assert others
        assert own == f"You {others}"
    assert action_words.done(game, "an action that does not exist") is None


@pytest.mark.parametrize("table", [table for table in TABLES if table.game.id in registry.GAMES], ids=str)
def test_each_decision_is_a_task_in_words(table: Configuration) -> None:
    said = set()
    for state in play(table, bytes(32), random.Random(6)).states():
        for decision in table.game.to_act(state):
            seat = decision.seat
            legal = table.game.legal(state, seat) if isinstance(decision, Choice) else ()
            said.add(action_words.task(table.game.id, table.game.view(state, seat), seat, legal))
    assert "Your turn" not in said
    assert all(task[0].isupper() and task[-1] != "." for task in said)


def test_a_seat_that_votes_overboard_promises_by_colour_and_name() -> None:
    view = registry.find("lifeboats").view(new("lifeboats"), 0)
    aboard = view.boats[0]._replace(sailors=(1, 1, 0))
    view = view._replace(
        stage="talk", vote="overboard", boat="W", options=("W", "O"), boats=(aboard, *view.boats[1:])
    )
    names = ("You", "greedy", "liar")
    lines = action_words.one_click_lines("lifeboats", view, 0, names)
    assert [words for _, words in lines] == ["I vote white: You", "I vote orange: greedy"]
    assert action_words.one_click_lines("lifeboats", view, 2, names) == []


def new(game: str) -> object:
    rules = registry.find(game)
    return rules.new(rules.setup(3), bytes(32))[0]


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_sentence_of_the_narration_about_a_name_can_be_said_to_the_person(game: str) -> None:
    package = registry.package(game)
    source = (package.board / "narration.py").read_text()
    about = set(re.findall(r'"([^"\n]*{name}[^"\n]*)"', source))
    assert set(package.phrases.addressed) == about


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("lifeboats", ["The boats are launched."]),
        ("land_unter", ["The cards are dealt.", "The water cards are shuffled."]),
        ("lost_cities", ["The cards are dealt."]),
    ],
)
def test_the_start_says_what_happens_in_this_game_each_thing_once(game: str, said: list[str]) -> None:
    start = replay(record.from_json(RECORDS[f"{game}.json"].read_text())).points[0].steps
    assert [action_words.step(game, step, ())[1] for step in start if isinstance(step, Chance)] == said


@pytest.mark.parametrize("game", ["lost_cities", "teotlatolli"])
def test_the_last_board_and_the_bar_above_it_count_the_same_turn(game: str) -> None:
    course = stepper.course(record.from_json(RECORDS[f"{game}.json"].read_text()), STANDARD, "/match")
    shown = stepper.position(course, "en", number=None, view=stepper.ALL)
    turn = next(title.values["n"] for title in shown["here"] if title.startswith("Turn"))
    assert f"urn {turn}</span>" in shown["board"]


def test_card_of_a_table_that_is_over_leaves_the_result_to_its_replay() -> None:
    seats = tuple(
        SeatRow(seat, bot, bot, "1", verified=True, place=None, score=None)
        for seat, bot in enumerate(("random", "greedy", "hoarder"))
    )
    row = LiveMatchRow(1, "Cup", "land_unter", 0, 0, "x" * 16, seats, 0.0, live=True)
    card = fragment(
        "live_card.html",
        "en",
        row=row,
        title="Land Unter",
        points=9,
        acting=(),
        over=True,
        board=None,
    )
    assert "Watch the replay" in card
    assert "won" not in card

"""The words of games: their options and variants, and what a game without words of its own shows."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import registry
from arena.games.phrases import OptionWords, Phrases
from arena.games.registry import GAMES

PLAIN = Phrases(actions={}, verbs={})


def options_of(game: str, **given: int) -> dict[str, int]:
    found = registry.find(game)
    return dict(found.setup(min(found.variants["standard"]), options=given).options)


@pytest.mark.parametrize("game", GAMES)
def test_no_option_of_a_game_goes_by_its_raw_name(game: str) -> None:
    phrases = registry.package(game).phrases
    found = registry.find(game)
    for option in found.options("standard", min(found.variants["standard"])):
        assert phrases.option_words(option).label != option.name
    said = phrases.describe_options(options_of(game))
    assert not any(f"{name} " in said.split(", ") for name in options_of(game))


def test_options_of_a_match_are_stated_in_words() -> None:
    phrases = registry.package("lifeboats").phrases
    values = options_of("lifeboats", dealt=1, talk=0)
    assert phrases.describe_options(values) == "boats placed at random, no talk"


def test_an_option_without_words_goes_by_its_name_and_meaning() -> None:
    (option, *_) = registry.find("lost_cities").options("standard", 2)
    words = PLAIN.option_words(option)
    assert (words.label, words.hint) == (option.name, option.meaning)
    assert words.stated({option.name: 2}) == f"{option.name} 2"
    assert PLAIN.describe_options({"hands": 2, "target": 0}) == "hands 2, target 0"


def test_what_has_nothing_to_say_is_left_out() -> None:
    silent = Phrases(actions={}, verbs={}, options={"target": OptionWords("Target", lambda _: "")})
    assert silent.describe_options({"target": 0}) == ""
    assert silent.describe_options({"hands": 2, "target": 0}) == "hands 2"


def test_variants_have_names() -> None:
    named = Phrases(actions={}, verbs={}, variants={"stick": "With a talking stick"})
    assert [named.variant_name(each) for each in ("standard", "stick", "bright_house")] == [
        "Standard",
        "With a talking stick",
        "bright house",
    ]


def test_a_game_without_a_task_says_whose_turn_it_is() -> None:
    nothing: Any = None
    assert PLAIN.task(nothing, 0, ()) == "Your turn"
    assert PLAIN.one_click_lines(nothing, 0, ()) == ()
    assert PLAIN.name("R7") == "R7"

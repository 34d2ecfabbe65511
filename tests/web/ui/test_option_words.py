"""Options and variants in words."""

from __future__ import annotations

import pytest

from arena.games import registry
from arena.games.registry import GAMES
from arena.web.ui.template_filters import describe_options, option_words, variant_name


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("lost_cities", {"hands": 1}, "1 hand"),
        ("land_unter", {"rounds": 4}, "4 rounds"),
        ("bottle_imp", {"hands": 6, "target": 0}, "6 hands"),
        ("bottle_imp", {"hands": 6, "target": 500}, "to 500 points"),
        ("lifeboats", {"dealt": 1, "talk": 2}, "boats placed at random, 2 rounds of talk"),
        ("lifeboats", {"dealt": 0, "talk": 0}, "boats placed by the players, no talk"),
        ("teotlatolli", {}, ""),
    ],
)
def test_the_options_of_a_match_are_written_as_people_say_them(
    game: str, options: dict[str, int], words: str
) -> None:
    assert describe_options(options, game) == words


@pytest.mark.parametrize("game", GAMES)
def test_each_option_has_a_label(game: str) -> None:
    rules = registry.find(game)
    options = {option for name, counts in rules.variants.items() for option in rules.options(name, counts[0])}
    assert [option.name for option in options if option_words(option, game).label == option.name] == []


def test_a_variant_has_the_name_that_people_use() -> None:
    assert [variant_name(name, "bottle_imp") for name in ("standard", "bright_house")] == [
        "Standard",
        "Bright House",
    ]

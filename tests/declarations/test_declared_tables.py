"""The tables that a bot declares: variants and seat counts, each as a list, empty for all."""

from __future__ import annotations

import pytest

from arena.core.errors import Refusal
from arena.declarations import declared_tables
from arena.declarations.declared_tables import ALL, GameOffer, declared, from_text, offered

BOTTLE_IMP = "standard at 3–4 seats, lopaka at 2 seats, bright_house at 2 seats"


@pytest.mark.parametrize(
    ("variants", "seat_counts", "said"),
    [
        ([], [], BOTTLE_IMP),
        (["standard"], [], "standard at 3–4 seats"),
        ([], [2], "lopaka at 2 seats, bright_house at 2 seats"),
        (["standard", "lopaka"], [2, 3], "standard at 3 seats, lopaka at 2 seats"),
        (["standard"], [2], "nothing of this game"),
    ],
)
def test_variants_and_seat_counts_name_the_tables_that_have_both(
    variants: list[str], seat_counts: list[int], said: str
) -> None:
    tables = declared("bottle_imp", [(variants, seat_counts)])
    assert tables.words("bottle_imp") == said
    assert from_text(tables.to_text()) == tables


def test_several_offers_of_a_game_add_up() -> None:
    offers = [GameOffer("bottle_imp", ("standard",), (4,)), GameOffer("bottle_imp", ("lopaka",), ())]
    tables = offered(offers, "bottle_imp")
    assert tables.include("standard", 4)
    assert tables.include("lopaka", 2)
    assert not tables.include("standard", 3)
    assert not tables.include("bright_house", 2)


def test_a_hello_without_games_offers_everything_and_one_with_another_game_nothing() -> None:
    assert offered([], "bottle_imp") == ALL
    assert not offered([GameOffer("lost_cities", (), ())], "bottle_imp").include("standard", 3)


@pytest.mark.parametrize(
    ("games", "variants", "seat_counts", "field", "message"),
    [
        (["bottle_imp"], ["x"], [], "variants", r"variants 'x': .* standard \(3–4\), lopaka \(2\)"),
        (["bottle_imp"], [], [9], "seat_counts", r"seat_counts 9: .* standard \(3–4\)"),
        (["bottle_imp"], ["standard"], [2], "variants", r"'standard \(2\)'"),
        (["bottle_imp"], ["standard", "lopaka"], [3], "seat_counts", r"'lopaka \(3\)'"),
        (["bottle_imp", "lost_cities"], ["lopaka"], [], "variants", r"lost_cities: standard \(2\)"),
    ],
)
def test_what_no_game_has_is_refused_with_what_there_is(
    games: list[str], variants: list[str], seat_counts: list[int], field: str, message: str
) -> None:
    with pytest.raises(Refusal, match=message) as caught:
        declared_tables.check(games, variants, seat_counts)
    assert caught.value.field == field


def test_a_game_that_is_not_installed_is_not_checked() -> None:
    declared_tables.check(["chess"], ["blitz"], [2])
    assert declared("chess", [(["blitz"], [2])]) == ALL

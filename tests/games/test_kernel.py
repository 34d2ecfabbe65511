from __future__ import annotations

import pytest

from arena.games.kernel import SetupError, places
from arena.games.land_unter.rules import LAND_UNTER
from arena.games.lost_cities.rules import LOST_CITIES
from tests.games.tiny import TINY


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [((5, 9, 5), (2, 1, 2)), ((1, 1), (1, 1)), ((-3, 0, 7, 7), (4, 3, 1, 1)), ((9, 9, 1), (1, 1, 3))],
)
def test_equal_scores_share_the_better_place(scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    assert places(scores) == ranks


def test_setup_names_every_option_in_the_order_of_the_page() -> None:
    assert list(TINY.setup(2, options={"talk": 2}).options.items()) == [("rounds", 2), ("talk", 2)]


def test_setup_takes_the_first_variant_if_none_is_named() -> None:
    assert LOST_CITIES.setup(2).variant == "standard"


def test_standard_rounds_are_the_number_of_seats() -> None:
    assert LAND_UNTER.setup(5).options == {"rounds": 5}


def test_nobody_talks_unless_it_is_said() -> None:
    assert TINY.setup(3).talks == (False, False, False)


def test_talks_must_be_given_for_each_seat() -> None:
    with pytest.raises(SetupError, match="must be one for each of the 3 seats"):
        TINY.setup(3, talks=(True,))


def test_refusal_of_a_seat_count_names_those_there_are() -> None:
    with pytest.raises(SetupError, match=r"seats 2: land_unter \(standard\) is played with 3 or 4 or 5"):
        LAND_UNTER.setup(2)

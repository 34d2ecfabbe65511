from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.chance import Stream, bot_seed, commitment

ZERO = bytes(32)


def test_first_numbers_below_six_of_the_zero_seed() -> None:
    stream, numbers = Stream(ZERO), []
    for _ in range(8):
        number, stream = stream.below(6)
        numbers.append(number)
    assert numbers == [1, 2, 3, 3, 1, 5, 5, 3]


def test_shuffle_of_ten_cards_with_the_zero_seed() -> None:
    assert Stream(ZERO).shuffle(range(1, 11))[0] == (9, 5, 1, 4, 3, 10, 7, 8, 6, 2)


def test_bot_seed_of_seat_0_with_the_zero_seed() -> None:
    assert bot_seed(ZERO, 0).hex() == "87e9f3cb10c9bf672f9b398945cc7118d4ebfd6a4736f86fce4dd6734f090aa8"


def test_commitment_of_a_match_with_the_zero_seed() -> None:
    assert (
        commitment("01JD", ZERO).hex() == "537663eff88f7b70274eda5df11482141d478ae7e44ac1130b45cdd340bb530c"
    )


def test_stream_goes_on_after_a_shuffle() -> None:
    _, after = Stream(ZERO).shuffle(range(10))
    assert after.position == 9


def test_shuffle_of_nothing_draws_nothing() -> None:
    assert Stream(ZERO).shuffle(()) == ((), Stream(ZERO))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 1000), st.integers(1, 1000))
def test_numbers_are_below_their_bound(seed: bytes, position: int, n: int) -> None:
    number, after = Stream(seed, position).below(n)
    assert 0 <= number < n
    assert after.position > position


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=70))
def test_shuffle_keeps_every_card(seed: bytes, cards: list[int]) -> None:
    assert sorted(Stream(seed).shuffle(cards)[0]) == sorted(cards)


def test_numbers_that_would_favour_the_low_ones_are_drawn_again() -> None:
    # Of 2³² words, those from 3·2³⁰ on are refused for n = 3·2³⁰: about a quarter.
    stream = Stream(ZERO)
    for _ in range(100):
        _, stream = stream.below(3 << 30)
    assert 105 < stream.position < 170

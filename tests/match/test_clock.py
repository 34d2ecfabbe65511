import pytest

from arena.core.errors import UsageError
from arena.match.clock import STANDARD, Clock, TimeControl, parse_time_control


def test_standard_is_thirty_seconds_and_a_tenth_with_ten_at_most() -> None:
    assert TimeControl(30_000, 100, 10_000, 1_000) == STANDARD
    assert str(STANDARD) == "30+0.1"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("30+0.1", STANDARD),
        ("6+0", TimeControl(6_000, 0, 2_000)),
        ("0.9+0.05", TimeControl(900, 50, 300)),
        ("0.001+0", TimeControl(1, 0, 1)),
    ],
)
def test_time_control_is_read_from_its_text(text: str, time: TimeControl) -> None:
    assert parse_time_control(text) == time


@pytest.mark.parametrize("text", ["", "30", "30+", "a+b", "-1+0", "0+0", "1+2", "90000+0", "30+0.1s"])
def test_time_control_that_makes_no_sense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="BASE"):
        parse_time_control(text)


def test_choice_takes_its_time_off_the_bank_and_earns_the_increment() -> None:
    clock = Clock(STANDARD, 2)
    assert clock.charge(1, 1_500.0) == 1_500.0
    assert clock.banks_ms == (30_000.0, 30_000.0 - 1_500 + 100)
    assert (clock.answered(1), clock.thought_ms(1)) == (1, 1_500.0)


@pytest.mark.parametrize(("thought_ms", "charged_ms"), [(0.0, 0.0), (0.04, 0.0), (0.06, 0.1), (7.77, 7.8)])
def test_choice_is_charged_in_tenths_and_earns_the_increment_even_in_no_time(
    thought_ms: float, charged_ms: float
) -> None:
    clock = Clock(STANDARD, 1)
    assert clock.charge(0, thought_ms) == charged_ms
    assert clock.banks_ms == (30_000.0 - charged_ms + 100,)


def test_bank_never_goes_below_nought() -> None:
    clock = Clock(TimeControl(base_ms=1, increment_ms=100), 1)
    assert clock.remaining_ms(0, 5.0) == 0.0
    clock.charge(0, 1.04)
    assert clock.banks_ms == (100.0,)


def test_choice_may_take_the_bank_or_the_cap_and_talk_has_a_limit_of_its_own() -> None:
    time = TimeControl(base_ms=500, increment_ms=0, cap_ms=300, talk_ms=50)
    clock = Clock(time, 1)
    assert (clock.time_for_choice(0), clock.time_for_talk(0)) == ((500, 300), (500, 50))
    clock.charge(0, 300)
    assert (clock.time_for_choice(0), clock.time_for_talk(0)) == ((200, 200), (200, 50))


def test_what_the_referee_tells_goes_before_what_was_reckoned() -> None:
    clock = Clock(STANDARD, 1)
    clock.correct(0, 12_345)
    assert clock.remaining_ms(0, 45.0) == 12_300.0


def test_longest_match_is_the_bank_and_all_increments_and_lines() -> None:
    assert STANDARD.longest_ms(500, 100) == 30_000 + 500 * 100 + 100 * 1_000

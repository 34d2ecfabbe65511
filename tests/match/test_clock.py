import pytest

from arena.core.errors import UsageError
from arena.match.clock import STANDARD, TimeControl, parse_time_control


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

from arena.supervisor.restart_policy import Restarts


def dead(times: int, lived_s: float = 0.1) -> Restarts:
    restarts = Restarts()
    for _ in range(times):
        restarts = restarts.died(lived_s)
    return restarts


def test_a_part_that_dies_once_is_started_at_once() -> None:
    assert dead(1).pause_s == 0


def test_pauses_grow_but_stay_below_ten_seconds() -> None:
    pauses = [dead(times).pause_s for times in range(1, 30)]
    assert pauses == sorted(pauses)
    assert 1 < pauses[-1] < 10


def test_a_long_life_makes_up_for_earlier_deaths() -> None:
    assert dead(5).died(lived_s=60).pause_s == 0


def test_a_person_is_told_after_repeated_deaths_only() -> None:
    assert [times for times in range(1, 31) if dead(times).worrying] == [4, 10, 20, 30]

from referee.limits.token_bucket import Allowance


def test_each_ask_allows_a_message() -> None:
    allowance = Allowance(0, 0)
    assert not allowance.spend(1, 0)
    allowance = Allowance(0, 0)
    allowance.earn()
    assert allowance.spend(1, 0)


def test_ten_seconds_worth_may_be_spent_at_once() -> None:
    allowance = Allowance(5, 0)
    assert all(allowance.spend(1, 0) for _ in range(50))
    assert not allowance.spend(1, 0)


def test_allowance_fills_again_with_time() -> None:
    allowance = Allowance(5, 0)
    allowance.spend(50, 0)
    assert allowance.spend(5, 1000)
    assert not allowance.spend(1, 1000)


def test_empty_frame_counts_as_a_message() -> None:
    allowance = Allowance(0, 0)
    assert not allowance.spend(0, 0)


def test_debt_is_bounded_too() -> None:
    allowance = Allowance(1, 0)
    for _ in range(1000):
        allowance.spend(100, 0)
    assert not allowance.spend(1, 5_000)
    assert allowance.spend(1, 30_000)

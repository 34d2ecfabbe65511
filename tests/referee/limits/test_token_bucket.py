from referee.limits.token_bucket import TokenBucket


def test_each_ask_allows_a_message() -> None:
    allowance = TokenBucket(0, 0)
    assert not allowance.try_consume(1, 0)
    allowance = TokenBucket(0, 0)
    allowance.credit()
    assert allowance.try_consume(1, 0)


def test_ten_seconds_worth_may_be_spent_at_once() -> None:
    allowance = TokenBucket(5, 0)
    assert all(allowance.try_consume(1, 0) for _ in range(50))
    assert not allowance.try_consume(1, 0)


def test_allowance_fills_again_with_time() -> None:
    allowance = TokenBucket(5, 0)
    allowance.try_consume(50, 0)
    assert allowance.try_consume(5, 1000)
    assert not allowance.try_consume(1, 1000)


def test_empty_frame_counts_as_a_message() -> None:
    allowance = TokenBucket(0, 0)
    assert not allowance.try_consume(0, 0)


def test_debt_is_bounded_too() -> None:
    allowance = TokenBucket(1, 0)
    for _ in range(1000):
        allowance.try_consume(100, 0)
    assert not allowance.try_consume(1, 5_000)
    assert allowance.try_consume(1, 30_000)

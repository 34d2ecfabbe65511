"""How many examples a property test takes."""

from hypothesis import settings


def scaled(count: int) -> int:
    """Return how many examples to take where `count` are taken of a property that takes 100 by default.

    It follows the profile of Hypothesis: a tenth of `count` with `fast`, so that `make test-fast` answers soon.
    """
    assert settings.default is not None
    return max(1, count * settings.default.max_examples // 100)

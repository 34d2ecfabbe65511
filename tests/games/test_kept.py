"""Results that are kept."""

from __future__ import annotations

import pytest

from arena.games import kept
from arena.games.kept import Kept, keep_at_most


def test_results_are_made_once_until_too_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_KEPT", 0)  # and set back to what it was
    keep_at_most(2)
    asked = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    doubled = Kept(double)
    assert [doubled[number] for number in (1, 2, 1, 3, 1)] == [2, 4, 2, 6, 2]
    assert asked == [1, 2, 3, 1]

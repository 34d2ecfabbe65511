"""Takes the bottle only where it is nearly sure to sell it again."""

from __future__ import annotations

from arena.games.bottle_imp.house_bots.greedy import Greedy
from arena.sdk import run


class Cautious(Greedy):
    """Fears the bottle three times as much as greedy does."""

    name = "cautious"
    fear = 3.0


if __name__ == "__main__":
    run(Cautious())

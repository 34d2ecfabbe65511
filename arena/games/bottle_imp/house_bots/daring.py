"""Takes the bottle early and often, and trusts that somebody buys it."""

from __future__ import annotations

from arena.games.bottle_imp.house_bots.greedy import Greedy
from arena.sdk import run


class Daring(Greedy):
    """Fears the bottle half as much as greedy does."""

    name = "daring"
    fear = 0.5


if __name__ == "__main__":
    run(Daring())

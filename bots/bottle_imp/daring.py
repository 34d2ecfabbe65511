"""Takes the bottle early and often, and trusts that somebody buys it."""

from __future__ import annotations

from arena.sdk import run
from bots.bottle_imp.greedy import Greedy


class Daring(Greedy):
    """Fears the bottle half as much as greedy does."""

    name = "daring"
    fear = 0.5


if __name__ == "__main__":
    run(Daring())

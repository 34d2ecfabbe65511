"""Measures a reference pool: `python -m bench.reference_pool NAME > arena/rl/pools/NAME.json`.

All combinations of the pool's bots play sets from the pool's seed, in this process; the Elo is fitted as in every table, with `greedy`
at 1500.  The same source gives the same file.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from functools import partial

from arena.games import registry
from arena.ratings.elo_table import rate
from arena.ratings.rating_data import of
from arena.ratings.set_clusters import count
from arena.ratings.totals import total
from arena.rl import reference_pool
from arena.rl.house_opponents import load_bot
from arena.rl.pool_matches import play_sets, tables
from arena.rl.reference_pool import Pool, PoolBot

SETS = 20
SEED = "20260101" * 8


def measure(name: str, game: str) -> Pool:
    """Play and rate the bots of one game: all but those that talk, and `search`, which plays by the clock."""
    package = registry.package(game)
    variant, counts = next(iter(package.game.variants.items()))
    bots = [bot for bot in package.house_bots if not load_bot(game, bot).talks and bot != "search"]
    pool = Pool(
        name=name,
        game=game,
        variant=variant,
        seats=counts[0],
        options=dict(package.game.setup(counts[0], variant=variant).options),
        rules_version=package.game.rules_version,
        seed=SEED,
        sets=SETS,
        bots=tuple([PoolBot(bot, 0.0, 0.0) for bot in bots]),
        sources=reference_pool.sources_of(game, bots),
        sha256="",
    )
    played = [
        [([bot for bot, _ in match], [place for _, place in match], ()) for match in one]
        for table in tables(bots, pool.seats)
        for one in play_sets(pool, table, SETS, partial(load_bot, game))
    ]
    totals = total(match for one in played for match in one)
    rows = rate(of(totals, count(total(one) for one in played)), anchor="greedy").rows
    rated = replace(pool, bots=tuple([PoolBot(row.name, row.elo, row.error or 0.0) for row in rows]))
    return replace(rated, sha256=reference_pool.digest_of(rated))


def main() -> None:
    """Measure the pool for all games, and print its file."""
    (name,) = sys.argv[1:]
    document = {}
    for game in registry.GAMES:
        print(f"measuring {game}", file=sys.stderr)
        document[game] = asdict(measure(name, game))
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()

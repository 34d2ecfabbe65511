"""`arena ratings`: the public Elo tables, and the same fit of a file of results."""

from __future__ import annotations

import math
from io import StringIO
from typing import IO

import click

from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo, print_table
from arena.competition.pools import LISTED_TIMES
from arena.core.errors import UsageError
from arena.core.foreign_text import decode
from arena.ratings import csv_results
from arena.ratings.elo_table import rate
from arena.ratings.existence import unbounded
from arena.ratings.model import MEAN_ELO, PRIOR_DRAWS
from arena.ratings.rating_data import of

_LEAST_PRIOR = 0.001
"""With less, a bot that always won would get the largest number that a computer has."""
_MAX_PRIOR = 1e6


@click.group("ratings", cls=NounGroup, usual=lambda args: ["show", *args])
def command() -> None:
    """Show the Elo table of a game, or fit one to your results.

    \b
    Examples:
      arena ratings lost_cities
      arena ratings fit results.csv
    """


@command.command("show")
@click.argument("game")
@click.option("--variant", metavar="VARIANT", help="The variant.  [default: the game's first]")
@json_option
@reads
def show(arena: Arena, *, game: str, variant: str | None, as_json: bool) -> None:
    """Show the Elo table of a game.

    Tournaments with standard options and a listed time control count for it.  The house bot greedy has 1500.

    \b
    Examples:
      arena ratings lost_cities
      arena ratings land_unter --json
    """
    variants = {each.name: each for each in arena.games.show(game).variants}
    chosen = variant or next(iter(variants))
    table = arena.ratings.show(game, chosen)
    if as_json:
        print_json(table)
    elif table.rows:
        print_table(terminal_tables.elo(table))
    else:
        usual = ", ".join(f"{each.name} {each.standard}" for each in variants[chosen].options)
        times = ", ".join(map(str, LISTED_TIMES))
        echo(f"No rated matches of {game} ({chosen}) yet: `arena tournament create {game} --bots …`")
        echo(
            f"Rated are tournaments with default options ({usual or 'it has none'}) and a listed time ({times}), unless they were created"
            " --unrated; others show their own tables. A worker computes the table within seconds after the first."
        )


@command.command("fit")
@click.argument("results", type=click.File("rb"), metavar="RESULTS.csv")
@click.option(
    "--prior",
    type=float,
    default=PRIOR_DRAWS,
    show_default=True,
    metavar="DRAWS",
    help="Virtual draws per bot, spread over its opponents; 0 is the plain maximum likelihood.",
)
@click.option(
    "--mean", type=float, default=MEAN_ELO, show_default=True, metavar="ELO", help="The mean of the table."
)
@json_option
def fit(*, results: IO[bytes], prior: float, mean: float, as_json: bool) -> None:
    """Fit Elo, error bars and rank ranges to results of your own.

    RESULTS.csv, or - for stdin, has the header `set,bots,places` and a line a match: its set (matches of a set share their luck;
    empty: none), its bots and their places, with spaces between: `s1,a b c,1 2 2`.  For two seats a draw is `1 1`.

    \b
    Examples:
      arena ratings fit results.csv
      arena ratings fit results.csv --prior 0 --mean 0 --json
    """
    if prior != 0 and not _LEAST_PRIOR <= prior <= _MAX_PRIOR:
        raise UsageError(
            f"--prior {prior}: must be 0, or a number of draws from {_LEAST_PRIOR:g} to {_MAX_PRIOR:g}"
        )
    if not math.isfinite(mean):
        raise UsageError(f"--mean {mean}: must be a number")
    try:
        read = csv_results.read(StringIO(decode(results.read()), newline=""))
    except UsageError as error:
        raise UsageError(f"{results.name}, {error}") from error
    if prior == 0 and (nowhere := unbounded(read.totals)):
        raise UsageError(
            f"--prior 0: no maximum exists for {', '.join(nowhere)}, which took no points from the rest, directly or indirectly, or gave them "
            "none; leave them out, or give a prior such as --prior 1"
        )
    table = rate(of(read.totals, read.sets), prior=prior, mean=mean)
    if not as_json:
        print_table(terminal_tables.fitted(table.rows, read.matches))
        return
    print_json(
        [
            {
                "bot": row.name,
                "elo": row.elo,
                "error": row.error,
                "matches": read.matches[row.name],
                "rank_low": row.rank_low,
                "rank_high": row.rank_high,
            }
            for row in table.rows
        ]
    )

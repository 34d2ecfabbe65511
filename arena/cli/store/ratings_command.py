"""`arena ratings`: the public Elo tables, and the same fit of a file of results."""

from __future__ import annotations

import math
from io import StringIO
from pathlib import Path
from typing import IO

import click

from arena.cli.support import terminal_tables
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option, opened
from arena.competition.pools import LISTED_TIMES, standard_options
from arena.core.errors import UsageError
from arena.core.foreign_text import decode
from arena.rankings import public_ratings
from arena.rankings.public_ratings import Played
from arena.rankings.rating_rows import RatingTable
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
@data_option
@json_option
def show(*, game: str, variant: str | None, data: Path | None, as_json: bool) -> None:
    """Show the Elo table of a game.

    Tournaments with standard options and a listed time control count for it.  The house bot greedy has 1500.

    \b
    Examples:
      arena ratings lost_cities
      arena ratings land_unter --json
    """
    with opened(data) as store:
        table = public_ratings.table(store, game, variant)
        played = public_ratings.count_played(store, table.game, table.variant)
    if as_json:
        print_json(table)
    elif table.rows:
        terminal_tables.print_table(terminal_tables.elo(table))
    else:
        echo(_why_empty(table, played))


def _why_empty(table: RatingTable, played: Played) -> str:
    """Return why a table has no rows yet, and what would give it some."""
    which = f"{table.game} ({table.variant})"
    if played.rated:
        return (
            f"The table of {which} is not computed yet; a worker does so within seconds while the arena runs"
        )
    create = f"`arena tournament create {table.game} --bots …`"
    if not played.unrated:
        return f"No rated matches of {which} yet: {create}"
    has = "1 tournament of it has" if played.unrated == 1 else f"{played.unrated} tournaments of it have"
    standard = ", ".join(
        f"{name} {value}" for name, value in standard_options(table.game, table.variant).items()
    )
    times = ", ".join(map(str, LISTED_TIMES))
    return (
        f"No rated matches of {which}: {has} results that count for their own tables only, which `arena tournament show`"
        f" prints.\nRated are those with standard options ({standard or 'it has none'}) and a listed time ({times}),"
        f" unless they were created --unrated: {create}"
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
        terminal_tables.print_table(terminal_tables.fitted(table.rows, read.matches))
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

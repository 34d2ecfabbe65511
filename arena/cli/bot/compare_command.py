"""`arena bot compare`: a test of two versions of one's own bot at the arena."""

from __future__ import annotations

import click

from arena.cli.bot.author_commands import game_of, game_option, wait_option, wait_until_finished
from arena.cli.support.door import Arena, link_of, writes
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.ratings.sprt import check_sets
from arena.reports.tournament_details import TournamentPage
from arena.scheduling.stop_rules import Sprt
from arena.scheduling.stop_rules import parse as parse_stop
from arena.service.requests import ComparisonRequest


@click.command("compare")
@click.argument("name")
@click.argument("first")
@click.argument("second")
@game_option
@click.option(
    "--sprt",
    "bounds",
    default="0,50",
    show_default=True,
    metavar="ELO0,ELO1",
    help="Whether the first is stronger by ELO1, or by ELO0 only.",
)
@click.option(
    "--sets",
    default=500,
    show_default=True,
    type=click.IntRange(1, 500),
    metavar="N",
    help="The most sets, 16 or more.",
)
@wait_option
@json_option
@writes
def command(
    arena: Arena,
    *,
    name: str,
    first: str,
    second: str,
    game: str | None,
    bounds: str,
    sets: int,
    no_wait: bool,
    as_json: bool,
) -> None:
    """Test which of two versions of a bot of yours is stronger.

    They play each other at the arena until that is certain (SPRT).  It counts for no table; the bot's page shows the result.  With the defaults a test of equally strong versions takes 140 sets (280 matches) on
    average, and 1 in 100 is undecided; narrower bounds take longer: 320 sets at 0,30, and one in four is undecided.

    \b
    Examples:
      arena bot compare my-bot 6 5
      arena bot compare my-bot 6 2 --sprt=-20,20 --sets 500
    """
    check_sets(sets)
    test = parse_stop(f"sprt:{bounds}")
    if not isinstance(test, Sprt):
        raise UsageError(f"sprt {bounds!r}: must be ELO0,ELO1, such as 0,50")
    wish = ComparisonRequest(first=first, second=second, elo0=test.elo0, elo1=test.elo1, sets=sets)
    begun = arena.bots.compare_versions(game_of(arena, name, game), name, wish)
    number = begun.tournament
    if not as_json:
        echo(_price(number, sets, begun.seconds), err=True)
    page = None if no_wait else wait_until_finished(arena, number)
    if as_json:
        print_json({"tournament": number, "state": page and page.state, "sprt": page and page.sprt})
        return
    if page is not None:
        echo(f"{name}: {first} against {second}: {_in_words(page)}")
    echo(f"Comparison {number}: {link_of(arena, number)}")


def _price(number: int, sets: int, seconds: float | None) -> str:
    """Say what a comparison costs if nothing is decided before its last set; `seconds` are None where the arena has not measured any."""
    minutes = "" if seconds is None else f", about {max(1, round(seconds / 60))} min at the arena's pace"
    return (
        f"Comparison {number}: at most {sets} sets ({2 * sets} matches{minutes}); it ends once it is decided"
    )


def _in_words(page: TournamentPage) -> str:
    test = page.sprt
    assert test is not None  # noqa: S101 - a comparison has one
    rows = sorted(page.standings, key=lambda row: row.entry)
    verdict = "undecided"
    if test.accepted is not None:
        verdict = f"{test.accepted} = {getattr(test, test.accepted):g} is accepted"
    difference = ""
    if rows[0].elo is not None and rows[1].elo is not None and rows[0].error is not None:
        # An error is relative to the mean of the two, so that their distance has twice as much.
        difference = f"{rows[0].elo - rows[1].elo:+.0f} ± {2 * rows[0].error:.0f} Elo, "
    return f"{difference}{verdict} after {test.sets} sets (LLR {test.llr:.2f})"

"""`arena bot compare`: a test of two versions of one's own bot at the arena."""

from __future__ import annotations

import click

from arena.cli.bot.author_commands import game_of, game_option, wait_option, wait_until_done
from arena.cli.support.arena_option import arena_option, connected
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.client import Row
from arena.core.errors import UsageError
from arena.ratings.sprt import check_sets
from arena.scheduling.stop_rules import Sprt
from arena.scheduling.stop_rules import parse as parse_stop


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
@arena_option
@json_option
def command(
    *,
    name: str,
    first: str,
    second: str,
    game: str | None,
    bounds: str,
    sets: int,
    no_wait: bool,
    url: str | None,
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
    with connected(url) as client:
        begun = client.compare_versions(
            game_of(client, name, game), name, first, second, elo0=test.elo0, elo1=test.elo1, sets=sets
        )
        number = begun["tournament"]
        if not as_json:
            echo(_price(number, sets, begun.get("seconds")), err=True)
        page = None
        if not no_wait:
            page = wait_until_done(
                lambda: client.show_tournament(number), lambda found: found["state"] == "finished"
            )
        address = f"{client.url}/tournaments/{number}"
    if as_json:
        print_json({"tournament": number, "state": page and page["state"], "sprt": page and page["sprt"]})
        return
    if page is not None:
        echo(f"{name}: {first} against {second}: {_in_words(page)}")
    echo(f"Comparison {number}: {address}")


def _price(number: int, sets: int, seconds: float | None) -> str:
    """Say what a comparison costs if nothing is decided before its last set; `seconds` are None where the arena has not measured any."""
    minutes = "" if seconds is None else f", about {max(1, round(seconds / 60))} min at the arena's pace"
    return (
        f"Comparison {number}: at most {sets} sets ({2 * sets} matches{minutes}); it ends once it is decided"
    )


def _in_words(page: Row) -> str:
    test = page["sprt"]
    rows = sorted(page["standings"], key=lambda row: row["entry"])
    verdict = (
        "undecided"
        if test["accepted"] is None
        else f"{test['accepted']} = {test[test['accepted']]:g} is accepted"
    )
    difference = ""
    if all(row["elo"] is not None for row in rows) and rows[0]["error"] is not None:
        # An error is relative to the mean of the two, so that their distance has twice as much.
        difference = f"{rows[0]['elo'] - rows[1]['elo']:+.0f} ± {2 * rows[0]['error']:.0f} Elo, "
    return f"{difference}{verdict} after {test['sets']} sets (LLR {test['llr']:.2f})"

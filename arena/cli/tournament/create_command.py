"""`arena tournament create`."""

from __future__ import annotations

from dataclasses import replace

import click

from arena.cli.support.door import Arena, writes
from arena.cli.support.game_options import game_options, read_options
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.cli.support.request_options import read_request, request_options
from arena.competition.drafts import Begin, TournamentSpec
from arena.core.errors import UsageError
from arena.scheduling.formats.format_registry import PARAMETERS
from arena.scheduling.seeds import parse_secret
from arena.service.requests import TournamentCreate

_OPTIONS = {
    "variant": "VARIANT",
    "seats": "N",
    "time": "BASE+INC",
    "format": "FORMAT",
    "cycles": "N",
    **{each.name: "N" for each in PARAMETERS},
    "stop": "RULE",
    "priority": "N",
    "delay_s": "SECONDS",
    "name": "NAME",
    "description": "TEXT",
}


@click.command("create")
@click.argument("game")
@click.option(
    "--bots", metavar="BOT,BOT…", help="The bots: NAME, or NAME@VERSION; for a knockout the best first."
)
@game_options
@request_options(TournamentCreate, _OPTIONS)
@click.option("--open", "is_open", is_flag=True, help="Let authors enter their bots until it is started.")
@click.option("--hold", is_flag=True, help="Only create it; open or start it later.")
@click.option(
    "--secret",
    metavar="HEX",
    help="In a store of this machine: 64 hex digits that all chance follows from.  [default: random]",
)
@click.option(
    "--trusted",
    is_flag=True,
    help="The bots are trusted not to use what they know of a deal: all sets share theirs, which saves matches.",
)
@click.option("--unrated", is_flag=True, help="It counts for its own table only, not for the public Elo.")
@json_option
@writes
def create(
    arena: Arena,
    /,
    *,
    bots: str | None,
    options: tuple[str, ...],
    is_open: bool,
    hold: bool,
    unrated: bool,
    as_json: bool,
    **given: object,
) -> None:
    """Create a tournament.

    The workers begin with it at once, unless it waits for entries.  In a set every bot plays every seat.  With two seats a cycle lets each pair play one set; with more, all tables that
    can be formed if they are few, else enough for each bot to meet all others.  A gauntlet lets the first bot meet
    all others; Swiss and knockout are for two seats.

    \b
    Examples:
      arena tournament create lost_cities --bots greedy,random,rusher --cycles 5
      arena tournament create land_unter --bots greedy,random,counter,hoarder --seats 4 --time 10+0.1
      arena tournament create lost_cities --format swiss --rounds 5 --open
      arena tournament create lost_cities --bots new,old --cycles 2000 --stop sprt:0,10
    """
    begin = _begin(is_open=is_open, hold=hold)
    if bots is None and begin == "now":
        raise UsageError("bots: name them with --bots A,B, or let them be entered with --open or --hold")
    names = [bot.strip() for bot in (bots or "").split(",") if bot.strip()]
    own = {"bots": names, "options": read_options(options), "rated": not unrated, "begin": begin}
    wish = read_request(_Wish, {**given, **own})
    page = arena.tournaments.create(wish)
    if as_json:
        print_json(page)
        return
    planned = f"{page.matches_total} matches in {page.sets_total} sets" if begin == "now" else page.state
    echo(f"Tournament {page.id}: {page.name}, {planned}")
    echo(f"Commitment {page.commitment}")
    if begin == "now":
        echo(f"Follow it with `arena tournament watch {page.id}`")
    else:
        echo(f"Begin it with `arena tournament start {page.id}` when all are entered")


class _Wish(TournamentCreate):
    """A tournament to be created, with its secret, which an arena elsewhere does not take."""

    secret: str | None = None

    def spec(self) -> TournamentSpec:
        secret = None if self.secret is None else parse_secret(self.secret)
        return replace(super().spec(), secret=secret)


def _begin(*, is_open: bool, hold: bool) -> Begin:
    if is_open and hold:
        raise UsageError("--open, --hold: give one of the two; what is on hold can be opened later")
    return "open" if is_open else "created" if hold else "now"

"""`arena tournament open`, `start` and so on: the commands that direct a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from arena.cli.support.door import Arena, writes
from arena.cli.support.game_options import game_options, read_options
from arena.cli.support.json_output import json_option, print_json, print_result
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.request_options import read_request, request_options
from arena.core.errors import UsageError
from arena.reports.tournament_details import TournamentPage
from arena.service.composed_answers import Entered
from arena.service.requests import TournamentChange

Command = TypeVar("Command", bound=Callable[..., Any])
_CHANGES = {
    "name": "NAME",
    "description": "TEXT",
    "priority": "N",
    "time": "BASE+INC",
    "delay_s": "SECONDS",
}


def _of_tournament(command: Command) -> Command:
    """Add what all of these commands have: `ID` and `--json`."""
    return click.argument("tournament", type=int, metavar="ID")(json_option(command))


def _step(name: str, meaning: str, act: Callable[[Arena, int], TournamentPage]) -> click.Command:
    """Return a command that takes only the tournament."""

    @click.command(name, help=f"{meaning}\n\n\b\nExample:\n  arena tournament {name} 7")
    @_of_tournament
    @writes
    def run(arena: Arena, *, tournament: int, as_json: bool) -> None:
        _show(act(arena, tournament), as_json=as_json)

    return run


@click.command("cancel")
@_of_tournament
@click.option("--why", default="", metavar="TEXT", help="The reason, shown on its page.")
@writes
def cancel(arena: Arena, *, tournament: int, why: str, as_json: bool) -> None:
    """End a tournament in its current state, for good.

    Its results stay, and its secret is published.

    \b
    Example:
      arena tournament cancel 7 --why "wrong options"
    """
    _show(arena.tournaments.cancel(tournament, why=why), as_json=as_json)


@click.command("extend")
@_of_tournament
@click.argument("more", type=int, metavar="N")
@writes
def extend(arena: Arena, *, tournament: int, more: int, as_json: bool) -> None:
    """Add cycles to a tournament, or rounds to a Swiss.

    \b
    Example:
      arena tournament extend 7 5
    """
    _show(arena.tournaments.extend(tournament, more=more), as_json=as_json)


@click.group("priority", cls=NounGroup, usual=lambda args: ["set", *args])
def priority_group() -> None:
    """Change a tournament's share of the workers."""


@priority_group.command("set")
@_of_tournament
@click.argument("priority", type=int, metavar="N")
@writes
def set_priority(arena: Arena, *, tournament: int, priority: int, as_json: bool) -> None:
    """Change a tournament's share of the workers.

    N is 1 to 100; a tournament with twice the priority gets twice the share.

    \b
    Example:
      arena tournament priority set 7 3
    """
    _show(arena.tournaments.edit(tournament, TournamentChange(priority=priority)), as_json=as_json)


@click.command("edit")
@_of_tournament
@game_options
@request_options(TournamentChange, _CHANGES)
@click.option("--rated/--unrated", "rated", default=None, help="Whether it counts for the public Elo.")
@writes
def edit(
    arena: Arena,
    /,
    *,
    tournament: int,
    options: tuple[str, ...],
    as_json: bool,
    **given: object,
) -> None:
    """Change a tournament: name, description, options.

    The description and the priority can be changed until it is over, the rest until it begins.

    \b
    Examples:
      arena tournament edit 7 --name "Autumn cup" --description "Two bots an author."
      arena tournament edit 7 --option hands=1 --time 10+0.1
    """
    if not options and all(each is None for each in given.values()):
        raise UsageError("nothing to change: give at least one option, such as --name")
    change = read_request(TournamentChange, {**given, "options": read_options(options) or None})
    _show(arena.tournaments.edit(tournament, change), as_json=as_json)


@click.command("delete")
@click.argument("tournament", type=int, metavar="ID")
@writes
def delete(arena: Arena, *, tournament: int) -> None:
    """Delete a tournament that has not begun.

    Its entries are deleted with it; one that has begun can be cancelled.

    \b
    Example:
      arena tournament delete 7
    """
    arena.tournaments.delete(tournament)
    echo(f"Tournament {tournament} is deleted")


@click.command("enter")
@_of_tournament
@click.argument("bot")
@writes
def enter(arena: Arena, *, tournament: int, bot: str, as_json: bool) -> None:
    """Enter a bot in a tournament that has not begun.

    BOT is NAME or NAME@VERSION; an author enters bots of their own, while the tournament is open.

    \b
    Examples:
      arena tournament enter 7 greedy
      arena tournament enter 7 my-bot --arena https://arena.example.org
    """
    _show_entry(arena.tournaments.enter_bot(tournament, bot=bot), "entered in", as_json=as_json)


@click.command("withdraw")
@_of_tournament
@click.argument("bot")
@click.option("--annul", is_flag=True, help="Annul its results: they count for no table any more.")
@writes
def withdraw(arena: Arena, *, tournament: int, bot: str, annul: bool, as_json: bool) -> None:
    """Withdraw a bot from a tournament.

    Its results stay, unless they are annulled.

    \b
    Examples:
      arena tournament withdraw 7 greedy
      arena tournament withdraw 7 cheater --annul
    """
    _show_entry(arena.tournaments.withdraw_bot(tournament, bot, annul=annul), "out of", as_json=as_json)


COMMANDS = (
    _step(
        "open",
        "Open a tournament, so that authors can enter their bots.",
        lambda arena, number: arena.tournaments.open_entries(number),
    ),
    enter,
    _step(
        "start",
        "Start a tournament with the bots that are entered.",
        lambda arena, number: arena.tournaments.start(number),
    ),
    _step(
        "pause",
        "Pause a tournament; running matches are played to their end.",
        lambda arena, number: arena.tournaments.pause(number),
    ),
    _step("resume", "Resume a paused tournament.", lambda arena, number: arena.tournaments.resume(number)),
    edit,
    delete,
    cancel,
    extend,
    withdraw,
    priority_group,
)


def _show_entry(entered: Entered, where: str, *, as_json: bool) -> None:
    print_result(
        entered,
        f"Bot {entered.bot}@{entered.version} is {where} tournament {entered.tournament}",
        as_json=as_json,
    )


def _show(page: TournamentPage, *, as_json: bool) -> None:
    if as_json:
        print_json(page)
    else:
        done = f"{page.matches_done} of {page.matches_total} matches"
        echo(f"Tournament {page.id}, {page.name}: {page.state}, {done}")

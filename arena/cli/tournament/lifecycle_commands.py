"""`arena tournament open`, `start` and so on: what directs a tournament, here or at an arena elsewhere.

Without `--arena` they work on the store, as its operator; with it they ask that arena, as the user who is signed in there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.accounts.actors import OPERATOR
from arena.bot_registry.bot_version import BotVersion
from arena.cli.support.arena_option import connected
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option, opened
from arena.cli.support.wake_workers import wake
from arena.client import ArenaClient, Row
from arena.competition import lifecycle
from arena.core.errors import UsageError
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store

Command = TypeVar("Command", bound=Callable[..., Any])


def _where(command: Command) -> Command:
    """Add what names the tournament and where it is: `ID`, `--data DIR`, `--arena URL`, `--json`."""
    elsewhere = click.option(
        "--arena",
        "url",
        metavar="URL",
        help="Do it at an arena that you have signed in to, instead of in the store here.",
    )
    return click.argument("tournament", type=int, metavar="ID")(data_option(elsewhere(json_option(command))))


@click.command("open")
@_where
def open_command(*, tournament: int, data: Path | None, url: str | None, as_json: bool) -> None:
    """Open a tournament, so that authors can enter their bots.

    They enter them until it is started.

    \b
    Example:
      arena tournament open 7
    """
    page = _direct(
        lambda store: lifecycle.open_entries(store, tournament, OPERATOR),
        lambda client: client.open_entries(tournament),
        tournament,
        data,
        url,
    )
    _show(page, as_json=as_json)


@click.command("start")
@_where
def start(*, tournament: int, data: Path | None, url: str | None, as_json: bool) -> None:
    """Start a tournament with the bots that are entered.

    \b
    Example:
      arena tournament start 7
    """
    page = _direct(
        lambda store: lifecycle.start(store, tournament, OPERATOR),
        lambda client: client.start_tournament(tournament),
        tournament,
        data,
        url,
    )
    _show(page, as_json=as_json)


@click.command("pause")
@_where
def pause(*, tournament: int, data: Path | None, url: str | None, as_json: bool) -> None:
    """Pause a tournament; running matches are played to their end.

    \b
    Example:
      arena tournament pause 7
    """
    page = _direct(
        lambda store: lifecycle.pause(store, tournament, OPERATOR),
        lambda client: client.pause_tournament(tournament),
        tournament,
        data,
        url,
    )
    _show(page, as_json=as_json)


@click.command("resume")
@_where
def resume(*, tournament: int, data: Path | None, url: str | None, as_json: bool) -> None:
    """Resume a paused tournament.

    \b
    Example:
      arena tournament resume 7
    """
    page = _direct(
        lambda store: lifecycle.resume(store, tournament, OPERATOR),
        lambda client: client.resume_tournament(tournament),
        tournament,
        data,
        url,
    )
    _show(page, as_json=as_json)


@click.command("cancel")
@_where
@click.option("--why", default="", metavar="TEXT", help="The reason, shown on its page.")
def cancel(*, tournament: int, why: str, data: Path | None, url: str | None, as_json: bool) -> None:
    """End a tournament in its current state, for good.

    Its results stay, and its secret is published.

    \b
    Example:
      arena tournament cancel 7 --why "wrong options"
    """

    def act(store: Store) -> None:
        lifecycle.cancel(store, tournament, OPERATOR, why)

    _show(
        _direct(act, lambda client: client.cancel_tournament(tournament, why=why), tournament, data, url),
        as_json=as_json,
    )


@click.command("extend")
@_where
@click.argument("more", type=int, metavar="N")
def extend(*, tournament: int, more: int, data: Path | None, url: str | None, as_json: bool) -> None:
    """Add cycles to a tournament, or rounds to a Swiss.

    \b
    Example:
      arena tournament extend 7 5
    """

    def act(store: Store) -> None:
        lifecycle.extend(store, tournament, more, OPERATOR)

    _show(
        _direct(act, lambda client: client.extend_tournament(tournament, more), tournament, data, url),
        as_json=as_json,
    )


@click.group("priority", cls=NounGroup, usual=lambda args: ["set", *args])
def priority_group() -> None:
    """Change a tournament's share of the workers.

    \b
    Example:
      arena tournament priority set 7 20
    """


@priority_group.command("set")
@_where
@click.argument("priority", type=int, metavar="N")
def set_priority(
    *, tournament: int, priority: int, data: Path | None, url: str | None, as_json: bool
) -> None:
    """Change a tournament's share of the workers.

    N is 1 to 100; a tournament with twice the priority gets twice the share.

    \b
    Example:
      arena tournament priority set 7 20
    """

    def act(store: Store) -> None:
        lifecycle.prioritise(store, tournament, priority, OPERATOR)

    _show(
        _direct(
            act, lambda client: client.prioritise_tournament(tournament, priority), tournament, data, url
        ),
        as_json=as_json,
    )


@click.command("enter")
@_where
@click.argument("bot")
def enter(*, tournament: int, bot: str, data: Path | None, url: str | None, as_json: bool) -> None:
    """Enter a bot in a tournament that has not begun.

    BOT is NAME or NAME@VERSION; at an arena elsewhere, one of your bots.

    \b
    Examples:
      arena tournament enter 7 greedy
      arena tournament enter 7 my-bot --arena https://arena.example.org
    """
    _check_one(data, url)
    if url is None:
        with opened(data) as store:
            found = _entered(tournament, lifecycle.enter(store, tournament, bot, OPERATOR))
    else:
        with connected(url) as client:
            found = client.enter_bot(tournament, bot)
    if as_json:
        print_json(found)
    else:
        echo(f"Bot {found['bot']}@{found['version']} is entered in tournament {tournament}")


@click.command("withdraw")
@_where
@click.argument("bot")
@click.option("--annul", is_flag=True, help="Annul its results: they count for no table any more.")
def withdraw(
    *, tournament: int, bot: str, annul: bool, data: Path | None, url: str | None, as_json: bool
) -> None:
    """Withdraw a bot from a tournament.

    Its results stay, unless they are annulled.

    \b
    Examples:
      arena tournament withdraw 7 greedy
      arena tournament withdraw 7 cheater --annul
      arena tournament withdraw 7 my-bot --arena https://arena.example.org
    """
    _check_one(data, url)
    if url is None:
        with opened(data) as store:
            found = _entered(tournament, lifecycle.withdraw(store, tournament, bot, OPERATOR, annul=annul))
    else:
        with connected(url) as client:
            found = client.withdraw_bot(tournament, bot, annul=annul)
    if as_json:
        print_json(found)
    else:
        echo(f"Bot {found['bot']}@{found['version']} is out of tournament {tournament}")


COMMANDS = (open_command, enter, start, pause, resume, cancel, extend, withdraw, priority_group)


def _direct(
    act: Callable[[Store], None],
    ask: Callable[[ArenaClient], Row],
    tournament: int,
    data: Path | None,
    url: str | None,
) -> Row | TournamentPage:
    """Do it in the store here, or ask an arena to; return the tournament after it."""
    _check_one(data, url)
    if url is None:
        with opened(data) as store:
            act(store)
            wake(data)
            return tournaments.page(store, tournament)
    with connected(url) as client:
        return ask(client)


def _check_one(data: Path | None, url: str | None) -> None:
    if data is not None and url is not None:
        raise UsageError(
            "--data, --arena: give one of the two; a tournament is in the store here or elsewhere"
        )


def _entered(tournament: int, found: BotVersion) -> Row:
    return {"tournament": tournament, "bot": found.bot, "version": found.version}


def _show(page: Row | TournamentPage, *, as_json: bool) -> None:
    if as_json:
        print_json(page)
        return
    shown = page if isinstance(page, dict) else {name: getattr(page, name) for name in _SHOWN}
    done = f"{shown['matches_done']} of {shown['matches_total']} matches"
    echo(f"Tournament {shown['id']}, {shown['name']}: {shown['state']}, {done}")


_SHOWN = ("id", "name", "state", "matches_done", "matches_total")

"""`arena whoami`: the arena that commands go to."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.support.door import Choice, arena_options, choose, opened
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.settings import database_url
from arena.storage.engine import parse, shown

_REASON = {
    Choice.ARENA: "as --arena says",
    Choice.DATA: "as --data says",
    Choice.LOGIN: "where you have signed in last",
    Choice.SETTINGS: "as you are not signed in to any arena",
}


@click.command("whoami")
@arena_options
@json_option
def command(*, url: str | None, data: Path | None, as_json: bool) -> None:
    """Show which arena commands go to, as whom, and why.

    \b
    Examples:
      arena whoami
      arena whoami --arena https://arena.example.org
    """
    target = choose(url, data)
    with opened(target) as arena:
        me = arena.accounts.me()
    place = target.url or f"the store {shown(parse(database_url(target.data)))}"
    scopes = sorted(me.scopes)
    if as_json:
        found = {"arena": target.url or None, "name": me.name, "role": me.role, "scopes": scopes}
        print_json({**found, "chosen_by": target.choice})
    else:
        echo(f"{me.name} ({me.role}) at {place}, {_REASON[target.choice]}: {', '.join(scopes)}")

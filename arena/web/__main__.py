"""`python -m arena.web`: the dashboard and the JSON API on one address.

Imports little: the address is bound and `/health` answered before the app is imported (arena/web/server/starting_server.py).
"""

from __future__ import annotations

import sys

import click

from arena.core import sd_notify
from arena.core.child_process import keep_private
from arena.core.errors import ArenaError
from arena.core.import_speed import collector_paused
from arena.core.native_heap import keep_compact
from arena.web.server.starting_server import StartingServer
from arena.web.server.web_address import listen


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port to serve on."
)
def run(host: str, port: int) -> None:
    """Serve the dashboard; database and Redis are named by ARENA_DATABASE_URL and ARENA_REDIS_URL."""
    keep_private()
    keep_compact()
    listener = listen(host, port)
    with StartingServer(listener), collector_paused():
        sd_notify.tell("STATUS=importing the app")
        from arena.web.server import app_factory  # noqa: PLC0415 - takes seconds

        sd_notify.tell("STATUS=opening the store")
        made = app_factory.make(host)
    made.serve(listener)


def main() -> None:
    """Run it; an error meant for a person is one line on stderr and exit code 1."""
    try:
        run()
    except ArenaError as error:
        click.echo(f"arena.web: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

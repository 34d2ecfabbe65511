"""`python -m arena.web`: the dashboard and the JSON API on one address."""

from __future__ import annotations

import sys

import click

from arena import log
from arena.errors import ArenaError
from arena.queue.connection import connect_async
from arena.services.submissions import Rules
from arena.settings import settings
from arena.store.store import Store
from arena.web import secret, uploads
from arena.web.app import create_app
from arena.web.identity import Access
from arena.web.limits import Limits
from arena.web.playing.tables import Playing
from arena.web.server import listen, serve


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port to serve on."
)
def run(host: str, port: int) -> None:
    """Serve the dashboard; database and Redis are named by ARENA_DATABASE_URL and ARENA_REDIS_URL."""
    chosen = settings()
    log.configure(chosen.log_level)
    access = Access(secret.find(chosen, host), chosen.registration)
    uploads.choose_folder(chosen.data)
    listener = listen(host, port)
    store = Store.open(chosen.database_url)
    try:
        client = connect_async(chosen.redis_url)
        limits = Limits()
        app = create_app(store, client, access, Rules.of(chosen), Playing.of(chosen), limits=limits)
        serve(app, listener, chosen.log_level, limits)
    finally:
        store.close()


def main() -> None:
    """Run it; an error meant for a person is one line on stderr and exit code 1."""
    try:
        run()
    except ArenaError as error:
        click.echo(f"arena.web: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

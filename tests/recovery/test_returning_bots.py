"""A bot at home dials in to `arena up`, and is back by itself after what it dialled was killed."""

import os
import signal
from pathlib import Path

from arena.messaging import presence
from arena.messaging.redis_connection import connect
from arena.storage import Store
from tests.cli.running import run
from tests.dialling import dialling_bot, give_token, take_token
from tests.parts.arena_process import RunningArena
from tests.patience import wait_until

BACK_S = 10.0
"""How long whatever was killed may take to be back at work."""


def test_a_bot_at_home_is_back_after_each_part_was_killed(
    arena: RunningArena, store: Store, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{arena.bots_port}"
    assert f"Bots dial in at {address}" in arena.output()

    def is_printed() -> bool:
        """Whether the address comes with a token: a worker has published it."""
        made = run("bot", "token", "lost_cities", "carol", "--data", str(arena.settings.data))
        return f"ARENA_REFEREE={address}\n" in made.out

    run("bot", "add", "lost_cities", "carol", "--dial-in", "--data", str(arena.settings.data))
    wait_until(is_printed, "the referee's address is printed", within_s=BACK_S)

    def is_there() -> bool:
        client = connect(arena.settings.redis_url)
        try:
            return "bob" in presence.present(client)
        finally:
            client.close()

    with dialling_bot(tmp_path, address, give_token(store, "bob")) as bot:
        wait_until(is_there, "it is connected", within_s=BACK_S)
        for number in arena.pids("referee"):
            os.kill(number, signal.SIGKILL)
        wait_until(lambda: not is_there(), "it is missed", within_s=BACK_S)
        wait_until(is_there, "it is connected again", within_s=2 * BACK_S)
        for number in arena.pids("worker"):
            os.kill(number, signal.SIGKILL)
        wait_until(is_there, "it is connected still", within_s=BACK_S)
        assert bot.poll() is None
        take_token(store, "bob")
        assert bot.wait(20) == 0  # a registrar is at work again

"""The admin whom the first `arena up` makes."""

from __future__ import annotations

import re

from arena.client import ArenaClient
from tests.arena import RunningArena
from tests.parts import wait_until


def test_first_start_shows_a_token_with_which_everything_may_be_done(arena: RunningArena) -> None:
    wait_until(lambda: "/sign-in takes it" in arena.output(), "the admin is introduced")
    (token,) = re.findall(r"^arena_\S+$", arena.output(), re.MULTILINE)
    with ArenaClient(f"http://127.0.0.1:{arena.port}", token) as client:
        me = client.me()
        assert (me["name"], me["role"]) == ("admin", "admin")
        assert set(me["scopes"]) == {"read", "bots", "tournaments", "admin"}
        assert "admin" in [user["name"] for user in client.list_users()]

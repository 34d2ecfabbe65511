"""What is seen of an operation that was added to a copy of the arena; run there, by test_new_operation.py."""

from __future__ import annotations

import json
from pathlib import Path

from arena.bot_registry import bots
from arena.storage import Store
from tests.cli.running import run
from tests.decided_matches import NAMES
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite


def test_ladder_is_shown_near_and_far(tmp_path: Path) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    bots.register_house(store, {"lost_cities": NAMES})
    store.close()
    here = ("--data", str(tmp_path), "--json")
    assert run("ladder", "start", "lost_cities", *here).code == 0
    near = run("ladder", "show", "1", *here)
    with running_redis() as redis, serving(tmp_path, redis.url) as url:
        far = run("ladder", "show", "1", "--arena", url, "--json")
        missing = run("ladder", "show", "2", "--arena", url)
    assert json.loads(near.out) == json.loads(far.out)
    assert (missing.code, missing.error) == (2, "arena: ladder 2: there is none\n")

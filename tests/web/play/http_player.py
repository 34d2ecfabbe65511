"""A person at a table over plain HTTP, as a browser without scripts: forms are read and sent."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi.testclient import TestClient

from arena.bot_registry import bots
from arena.games.registry import GAMES
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from arena.web.play.human_games import PlayTerms
from bots.catalogue import house_bots
from tests.patience import wait_until
from tests.web.access import ACCESS

if TYPE_CHECKING:
    from arena.storage import Store
    from tests.parts.redis_server import RunningRedis

_DECISION = re.compile(r'name="decision" value="(\d+)"')
_ACTION = re.compile(r'name="action" value="([^"]*)"')


def move_in(store: Store) -> None:
    """Make all house bots known."""
    bots.register_house(store, {game: house_bots(game) for game in GAMES})


@contextmanager
def visiting(store: Store, redis: RunningRedis, playing: PlayTerms) -> Iterator[TestClient]:
    """Open a dashboard whose people play as is said."""
    app = create_app(store, connect_async(redis.url), ACCESS, playing=playing)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@dataclass(frozen=True)
class Shown:
    """A table's page."""

    address: str
    text: str

    @property
    def decision(self) -> int | None:
        found = _DECISION.search(self.text)
        return int(found[1]) if found else None

    @property
    def actions(self) -> list[str]:
        return [html.unescape(each) for each in _ACTION.findall(self.text)]

    @property
    def talks(self) -> bool:
        return 'name="silence"' in self.text

    @property
    def over(self) -> bool:
        return 'id="result"' in self.text


def take_seat(client: TestClient, game: str, **fields: object) -> Shown:
    """Open a table against `greedy`; `fields` are the form's."""
    rivals = min(next(iter(GAMES[game].variants.values()))) - 1
    form: Mapping[str, object] = {"game": game, "seat": "0", "opponent": ["greedy"] * rivals, **fields}
    answer = client.post("/play", data=dict(form))
    assert answer.status_code == 200, answer.text
    return our_turn(client, Shown(answer.url.path, answer.text))


def our_turn(client: TestClient, shown: Shown) -> Shown:
    """Wait until something is asked, or the match is over."""
    last = shown

    def asked() -> bool:
        nonlocal last
        last = look(client, shown)
        return last.decision is not None or last.over

    wait_until(asked, "it is our turn", within_s=30.0)
    return last


def look(client: TestClient, shown: Shown) -> Shown:
    answer = client.get(shown.address)
    assert answer.status_code == 200
    return Shown(shown.address, answer.text)


def decide(client: TestClient, shown: Shown, **fields: object) -> Shown:
    answer = client.post(f"{shown.address}/answer", data={"decision": shown.decision, **fields})
    assert answer.status_code == 200, answer.text
    return Shown(shown.address, answer.text)


def play_first(client: TestClient, shown: Shown, limit: int = 5000) -> Shown:
    """Choose the first legal action, and say nothing, until the match is over."""
    for _ in range(limit):
        if shown.over:
            return shown
        if shown.decision is None:
            shown = our_turn(client, shown)
        elif shown.talks:
            shown = decide(client, shown, silence="1")
        else:
            shown = decide(client, shown, action=shown.actions[0])
    raise AssertionError(f"not over after {limit} decisions")

"""A record that cannot be drawn shows its text, and says why it cannot."""

from __future__ import annotations

import json
import random
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from arena.messaging.redis_connection import connect_async
from arena.reports import match_views
from arena.storage.record_compression import pack
from arena.storage.schema import Record
from arena.web.app import create_app
from arena.web.docs import markdown_documents
from arena.web.matches.opened_records import open_record
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from tests.parts.redis_server import RunningRedis

RECORDS = sorted(markdown_documents.files("records").values())
MUTATIONS = 40


def test_the_page_shows_the_text_and_says_why(tmp_path: Path, redis_server: RunningRedis) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
        random_tournaments.play(store, number)
        text = match_views.page(store, number, 0, 0).record
        assert text is not None
        document = json.loads(text)
        document["steps"][1]["action"] = "play Q7"
        with store.write() as session:
            session.execute(update(Record).values(data=pack(json.dumps(document, separators=(",", ":")))))
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            address = f"/tournaments/{number}/sets/0/matches/0"
            page = client.get(address)
            assert page.status_code == 200
            shown = unescape(page.text)
            assert "it cannot be drawn: action 'play Q7': must be one of" in shown
            assert '"action":"play Q7"' in shown
            assert "greedy" in shown
            assert client.get(f"{address}/board").status_code == 404


def mutate(document: dict[str, Any], chooser: random.Random) -> str:
    """Spoil a record somewhere: what a step says, which steps there are, or what stands in the head."""
    steps = document["steps"]
    at = chooser.randrange(len(steps))
    spoilt = chooser.randrange(7)
    if spoilt == 0:
        del steps[at]
    elif spoilt == 1:
        steps.insert(at, chooser.choice(steps))
    elif spoilt == 2:
        steps[at] = {"seat": chooser.randrange(9), "action": chooser.choice(["", "vote Z", "play 99", "hat"])}
    elif spoilt == 3:
        claim = {"kind": "oath", "seat": 7, "vote": "Z", "when": "never"}
        steps[at] = {"seat": 0, "say": {"text": "\N{SNOWMAN}", "claims": [claim]}, "round": 3}
    elif spoilt == 4:
        document["seats"].append(document["seats"][0])
    elif spoilt == 5:
        document["seed"] = chooser.randbytes(32).hex()
    else:
        return json.dumps(document, separators=(",", ":"))[: -chooser.randint(1, 200)]
    return json.dumps(document, separators=(",", ":"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_spoilt_record_is_text_and_never_an_error(path: Path) -> None:
    chooser = random.Random(7)
    for _ in range(MUTATIONS):
        text = mutate(json.loads(path.read_text()), chooser)
        found = open_record(pack(text), "/", "30+0.1")
        assert (found.course is None) == (found.trouble is not None)
        assert found.text == text

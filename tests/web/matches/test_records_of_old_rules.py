"""After the rules of a game have changed its old records are read, shown as text and exported as before."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from arena.match.record import from_json
from arena.match.record_columns import RecordUnreadable
from arena.match.verification import verify
from arena.messaging.redis_connection import connect_async
from arena.reports import bot_logs, exports, match_views, tournament_archive
from arena.storage import Store
from arena.storage.schema import Record
from arena.web.app import create_app
from arena.web.matches import opened_records
from tests import other_rules, random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis


@dataclass(frozen=True)
class Played:
    """A tournament of two matches that has been played, and the address of its first match."""

    store: Store
    number: int
    client: TestClient
    address: str

    def packed(self) -> bytes:
        with self.store.read() as session:
            return session.scalars(select(Record.data).order_by(Record.result_id)).first() or b""

    def archive(self) -> bytes:
        target = io.BytesIO()
        tournament_archive.write(self.store, self.number, target)
        return target.getvalue()


@pytest.fixture
def played(tmp_path: Path, redis_server: RunningRedis) -> Iterator[Played]:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
        random_tournaments.play(store, number)
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield Played(store, number, client, f"/tournaments/{number}/sets/0/matches/0")
    opened_records.open_record.cache_clear()  # other tests open the same record, under the rules of its time


def change_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    other_rules.load(monkeypatch, other_rules.LaterCities())
    opened_records.open_record.cache_clear()


def test_old_records_are_read_exported_and_verified(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    record = match_views.page(played.store, played.number, 0, 0).record
    assert record is not None
    assert verify(from_json(record)) is None
    archive, export = played.archive(), exports.export(played.store, played.number)
    timings = bot_logs.read_timings(played.packed(), 0)
    bot_logs.read_timings.cache_clear()
    change_rules(monkeypatch)
    assert match_views.page(played.store, played.number, 0, 0).record == record
    assert played.client.get(f"/api/v1{played.address}/record").text == record
    assert played.archive() == archive
    assert exports.export(played.store, played.number) == export
    assert bot_logs.read_timings(played.packed(), 0) == timings
    wrong = verify(from_json(record))
    assert wrong is not None
    assert wrong.step == 0


def test_the_page_shows_the_text_and_says_why_there_is_no_board(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch)
    answer = played.client.get(played.address)
    assert answer.status_code == 200
    shown = unescape(answer.text)
    assert "it cannot be drawn: " in shown
    assert '"action":"' in shown
    assert "greedy" in shown
    assert played.client.get(f"{played.address}/board").status_code == 404


@pytest.mark.parametrize(
    "address", ["", "/live", "/live/lost_cities", "/live/now", "/puzzle?game=lost_cities"]
)
def test_pages_that_choose_a_match_lead_on_where_none_can_be_drawn(
    played: Played, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    change_rules(monkeypatch)
    answer = played.client.get(address or "/")
    assert answer.status_code == 200
    assert 'class="board board-' not in answer.text


def test_embed_and_picture_of_a_match_of_other_rules_do_without_its_board(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch)
    embedded = played.client.get(f"/embed/matches/{played.number}/0/0")
    assert embedded.status_code == 404
    assert "The record of this match cannot be drawn." in embedded.text
    assert f'href="{played.address}"' in embedded.text
    assert played.client.get(f"/preview/matches/{played.number}/0/0.png").status_code == 200


@pytest.fixture
def damaged(played: Played) -> Played:
    """The same with a first record that cannot be read."""
    data = played.packed()
    with played.store.write() as session:
        session.execute(update(Record).where(Record.data == data).values(data=data[:-1]))
    return played


def test_the_page_of_a_damaged_record_says_so_and_shows_all_else(damaged: Played) -> None:
    answer = damaged.client.get(damaged.address)
    assert answer.status_code == 200
    assert "the stored record cannot be read: it is damaged" in answer.text
    assert "greedy" in answer.text
    assert damaged.client.get(f"{damaged.address}/board").status_code == 404


def test_the_api_shows_the_match_of_a_damaged_record(damaged: Played) -> None:
    assert damaged.client.get(f"/api/v1{damaged.address}").json()["end"] == "completed"
    answer = damaged.client.get(f"/api/v1{damaged.address}/record")
    assert answer.status_code == 500
    problem = json.loads(answer.text)
    assert problem["code"] == "record_unreadable"
    assert "the stored record cannot be read: it is damaged" in problem["detail"]
    assert "organiser" in problem["remedy"]


def test_a_damaged_record_harms_no_other(damaged: Played) -> None:
    assert damaged.client.get(f"/api/v1{damaged.address[:-1]}1/record").status_code == 200
    assert bot_logs.read_timings(damaged.packed(), 0) == ((), None)
    with pytest.raises(
        RecordUnreadable, match=r"records/0-0\.json of tournament 1: the stored record cannot be read"
    ):
        damaged.archive()

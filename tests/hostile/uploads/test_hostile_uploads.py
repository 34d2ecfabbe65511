"""Uploads that each try one thing, sent to a real web by an author who may submit: refused, with nothing left behind."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import func, select

from arena.accounts import tokens
from arena.bot_registry import bots
from arena.bundle_format import zip_archive
from arena.bundle_format.bundle import read_upload
from arena.client import RemoteArena
from arena.core.errors import Refusal
from arena.storage import Store
from arena.storage.schema import Bot, Bundle, Tournament, Version
from tests import decided_matches
from tests.bundle_format.uploads import BOT, TOML, link, project, special, zipped
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.patience import wait_until
from tests.stores import new_sqlite


@dataclass(frozen=True)
class Target:
    """An arena, and the token of somebody who may submit."""

    url: str
    token: str
    store: Store

    def send(self, data: bytes, filename: str = "mine.zip") -> Any:
        with RemoteArena(self.url, self.token) as client:
            return client.bots.submit(data, filename=filename)

    def refuses(self, data: bytes, code: str) -> None:
        before = self.rows()
        with pytest.raises(Refusal) as caught:
            self.send(data)
        assert caught.value.code == code
        assert self.rows() == before
        assert httpx.get(f"{self.url}/health").status_code == 200

    def rows(self) -> list[int | None]:
        with self.store.read() as session:
            tables = (Bot, Version, Bundle, Tournament)
            return [session.scalar(select(func.count()).select_from(table)) for table in tables]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    data = tmp_path_factory.mktemp("data")
    store = Store.open(new_sqlite(data / "arena.db"))
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    token = tokens.create(store, decided_matches.person(store, "mallory"), "test").token
    with running_redis() as redis, serving(data, redis.url) as url:
        yield Target(url, token, store)
    store.close()


def test_zip_bomb(target: Target) -> None:
    bomb = zipped({"bot.toml": TOML, "mine.py": BOT, **{f"{number}": bytes(9 << 20) for number in range(3)}})
    assert len(bomb) < 100_000
    target.refuses(bomb, "too_large")


def test_zip_bomb_whose_header_says_that_it_is_small(target: Target) -> None:
    size = zip_archive.MAX_BYTES + 1
    bomb = zipped({"a.bin": bytes(size)}).replace(struct.pack("<L", size), struct.pack("<L", 10))
    with pytest.raises(Refusal, match=r"unpacks to more|cannot be read"):
        target.send(bomb)


def test_zip_of_ten_thousand_files(target: Target) -> None:
    target.refuses(zipped({f"{number}.py": "" for number in range(10_000)}), "too_large")


def test_upload_without_end(target: Target) -> None:
    target.refuses(bytes(zip_archive.MAX_BYTES + 1), "too_large")


@pytest.mark.parametrize(
    "path", ["../../../arena.db", "/etc/cron.d/mine", "..\\..\\arena.db", "a/../../b.py"]
)
def test_zip_with_a_path_that_leads_out(target: Target, path: str) -> None:
    target.refuses(zipped({"bot.toml": TOML, "mine.py": BOT, path: "mine now"}), "path_invalid")


@pytest.mark.parametrize("link_to", ["/etc/shadow", "../../arena.db", "/"])
def test_zip_with_a_symbolic_link(target: Target, link_to: str) -> None:
    target.refuses(link("weights.bin", link_to), "path_invalid")


def test_zip_with_a_device(target: Target) -> None:
    target.refuses(special("zero", 0o020000), "path_invalid")


def test_manifest_that_claims_a_program_outside_of_the_upload(target: Target) -> None:
    target.refuses(project(TOML.replace("mine.py", "../../bots/lost_cities/greedy.py")), "manifest_invalid")


def test_manifest_that_asks_for_a_package_from_elsewhere(target: Target) -> None:
    target.refuses(project(f'{TOML}requires = ["git+https://example.org/evil"]\n'), "manifest_invalid")


def test_manifest_that_asks_for_a_package_that_is_not_allowed(target: Target) -> None:
    target.refuses(project(f'{TOML}requires = ["requests"]\n'), "package_not_allowed")


def test_manifest_that_takes_the_name_of_a_house_bot(target: Target) -> None:
    target.refuses(project(TOML.replace('"mine"', '"greedy"')), "name_taken")


def test_upload_that_breaks_off_in_the_middle(target: Target) -> None:
    before = target.rows()
    where = urlsplit(target.url)
    head = (
        f"POST /api/v1/bots/uploads?filename=mine.zip HTTP/1.1\r\nHost: {where.netloc}\r\n"
        f"Authorization: Bearer {target.token}\r\nContent-Length: 100000\r\n\r\n"
    )
    with socket.create_connection((where.hostname, where.port)) as connection:
        connection.sendall(head.encode() + project())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_until(lambda: httpx.get(f"{target.url}/health").status_code == 200, "it goes on")
    assert target.rows() == before


def test_another_bundle_under_the_name_of_a_known_one(target: Target) -> None:
    """A bundle is named by its bytes, so there is none to make; that of another owner is shared, not changed."""
    made = read_upload(project(bot=f"{BOT}# same\n"), "mine.zip")
    target.send(project(bot=f"{BOT}# same\n"))
    with target.store.read() as session:
        data = session.scalars(select(Bundle.data).where(Bundle.sha256 == made.sha256)).one()
    assert sha256(data).hexdigest() == made.sha256

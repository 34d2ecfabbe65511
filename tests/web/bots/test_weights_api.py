"""Weights sent to the API in parts: stored as they come, seen when they are whole and what they are called."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from arena.bot_registry.stored_weights import WeightsLimits
from arena.client import ArenaUnreachable, Refused, RemoteArena
from arena.client.remote_arena import RemoteBots
from arena.client.weights_sender import MAX_FAILURES, send_weights
from arena.competition.qualification.submissions import Rules
from arena.service import composed_answers
from arena.storage.schema import Weights, WeightsPart
from tests.patience import wait_until
from tests.web.named_users import House, furnished, house
from tests.web.served_app import served
from tests.web.server.test_open_connections import LIMITS, Web

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from fastapi.testclient import TestClient

    from arena.bot_registry.weights_uploads import WeightsUpload
    from arena.core.errors import ArenaError

__all__ = ["furnished", "house"]

CONTENT = bytes(range(256)) * 10_000
SIZE = len(CONTENT)
SHA256 = sha256(CONTENT).hexdigest()
PATH = f"/api/v1/weights/{SHA256}"
UPLOAD = f"{PATH}/upload"
KIB = 1 << 10


@pytest.fixture
def ada(house: House) -> Iterator[TestClient]:
    with house.client(house.token("ada")) as client:
        app: Any = client.app
        app.state.services = replace(app.state.services, rules=Rules(weights=WeightsLimits(3, 4)))
        yield client


def begin(client: TestClient, size: int = SIZE, path: str = UPLOAD) -> httpx.Response:
    answer: httpx.Response = client.post(path, json={"size": size})
    return answer


def put(client: TestClient, offset: int, data: bytes | Iterator[bytes]) -> httpx.Response:
    answer: httpx.Response = client.put(UPLOAD, params={"offset": offset}, content=data)
    return answer


def send(client: TestClient) -> None:
    begin(client)
    assert put(client, 0, CONTENT).status_code == 200
    assert client.post(f"{UPLOAD}/finish").status_code == 200


def rows(house: House) -> list[int | None]:
    with house.store.read() as session:
        return [session.scalar(select(func.count()).select_from(each)) for each in (Weights, WeightsPart)]


def problem(answer: httpx.Response) -> tuple[int, str, str]:
    found = answer.json()
    return answer.status_code, found["code"], found["field"]


def test_weights_are_sent_in_parts_and_there_when_they_are_finished(ada: TestClient, house: House) -> None:
    begun = {"sha256": SHA256, "size": SIZE, "received": 0, "complete": False, "part_bytes": 4 << 20}
    assert begin(ada).json() == begun
    pieces = (CONTENT[at : at + 300_000] for at in range(0, 1_500_000, 300_000))
    assert put(ada, 0, pieces).json() == {**begun, "received": 1_500_000}
    assert put(ada, 1_500_000, CONTENT[1_500_000:]).json() == {**begun, "received": SIZE}
    assert ada.head(PATH).status_code == 404
    finished = ada.post(f"{UPLOAD}/finish")
    assert finished.json() == {**begun, "received": SIZE, "complete": True}
    assert ada.get(PATH).json() == {"sha256": SHA256, "size": SIZE}
    assert begin(ada).json() == finished.json()


def test_part_at_another_offset_is_refused_with_the_right_one(ada: TestClient) -> None:
    begin(ada)
    put(ada, 0, CONTENT[: 100 * KIB])
    refused = put(ada, 0, CONTENT[: 100 * KIB])
    assert problem(refused) == (409, "offset_wrong", "offset")
    assert refused.json()["detail"] == f"offset 0: this upload continues at {100 * KIB}"


def test_part_of_an_upload_that_was_not_begun_is_refused(ada: TestClient) -> None:
    assert problem(put(ada, 0, CONTENT)) == (404, "weights_missing", "sha256")
    assert problem(ada.post(f"{UPLOAD}/finish")) == (404, "weights_missing", "sha256")


def test_part_that_is_too_small_is_refused_unless_it_ends_the_file(ada: TestClient) -> None:
    begin(ada)
    refused = put(ada, 0, CONTENT[:1000])
    assert problem(refused) == (422, "part_short", "weights")
    assert "has 1000 bytes and does not end the file; send at least 65536" in refused.json()["detail"]
    assert put(ada, 0, CONTENT[:-1000]).json()["received"] == SIZE - 1000
    assert put(ada, SIZE - 1000, CONTENT[-1000:]).json()["received"] == SIZE


@pytest.mark.parametrize("left", [0, 1, KIB, 64 * KIB - 1, 64 * KIB, 1024 * KIB])
def test_part_of_any_larger_size_is_stored_whole_and_in_few_rows(
    ada: TestClient, house: House, left: int
) -> None:
    size = 1024 * KIB + left
    begin(ada, 3 << 20)
    assert put(ada, 0, bytes(size)).json()["received"] == size
    assert rows(house)[1] in {1, 2}


def test_part_that_is_too_large_is_refused(ada: TestClient) -> None:
    ada.app.state.services.uploads.max_part_bytes = 1 << 20  # type: ignore[attr-defined]
    begin(ada)
    refused = put(ada, 0, CONTENT)
    assert problem(refused) == (413, "too_large", "weights")
    assert f"larger than {1 << 20} bytes; send the rest as the next part" in refused.json()["detail"]


def test_weights_with_another_sha256_are_refused_and_nothing_stays(ada: TestClient, house: House) -> None:
    begin(ada, SIZE - 1)
    put(ada, 0, CONTENT[:-1])
    refused = ada.post(f"{UPLOAD}/finish")
    assert problem(refused) == (422, "weights_wrong", "sha256")
    found = sha256(CONTENT[:-1]).hexdigest()
    assert f"the {SIZE - 1} bytes that came have the SHA-256 {found}" in refused.json()["detail"]
    assert rows(house) == [0, 0]


def test_weights_that_are_too_large_are_refused_before_they_are_sent(ada: TestClient, house: House) -> None:
    refused = begin(ada, (3 << 20) + 1)
    assert problem(refused) == (413, "too_large", "weights")
    assert f"at most {3 << 20} are possible" in refused.json()["detail"]
    begin(ada, 100 * KIB)
    assert problem(put(ada, 0, bytes(101 * KIB))) == (413, "too_large", "weights")
    assert rows(house) == [1, 0]


def test_weights_beyond_the_quota_of_their_author_are_refused(ada: TestClient) -> None:
    send(ada)
    refused = begin(ada, path=f"/api/v1/weights/{'ab' * 32}/upload")
    assert problem(refused) == (413, "storage_exhausted", "weights")
    assert f"ada's weights have {SIZE} bytes already" in refused.json()["detail"]


def test_weights_of_others_are_not_shown_or_continued(ada: TestClient, house: House) -> None:
    send(ada)
    with house.client(house.token("olga")) as olga:
        assert olga.get(PATH).status_code == 404
        assert begin(olga).json()["received"] == 0


def test_what_came_of_a_part_that_broke_off_stays(house: House) -> None:
    with served(house.store, house.redis) as origin, RemoteArena(origin, house.token("ada")) as arena:
        arena.bots.begin_weights(SHA256, size=SIZE)
        with Web(origin).connect() as line:
            head = (
                f"PUT {UPLOAD}?offset=0 HTTP/1.1",
                "Host: test",
                f"Authorization: Bearer {house.token('ada')}",
                f"Content-Length: {SIZE}",
            )
            line.sendall("\r\n".join((*head, "", "")).encode() + CONTENT[: 500 * KIB])

        def received() -> int:
            return arena.bots.begin_weights(SHA256, size=SIZE).received

        wait_until(lambda: received() > 0, "what came is stored")
        assert received() == 500 * KIB


class Interrupted(RemoteBots):
    """A client whose connection breaks after every other part, sometimes before and sometimes after its answer."""

    parts = 0

    def upload_weights_part(self, sha256: str, data: bytes, *, offset: int) -> WeightsUpload:
        self.parts += 1
        if self.parts % 4 == 2:
            raise ArenaUnreachable("broke before it was sent")
        answer = super().upload_weights_part(sha256, data, offset=offset)
        if self.parts % 4 == 0:
            raise ArenaUnreachable("broke before the answer came")
        return answer


def test_client_sends_on_through_interruptions(house: House) -> None:
    limits = replace(LIMITS, max_part_bytes=256 * KIB)
    pauses: list[tuple[str, float]] = []

    def pause(error: ArenaError, pause_s: float) -> None:
        pauses.append((str(error), pause_s))

    seen: list[int] = []
    with (
        served(house.store, house.redis, limits=limits) as origin,
        RemoteArena(origin, house.token("ada")) as arena,
    ):
        send_weights(Interrupted(arena), SHA256, BytesIO(CONTENT), SIZE, show=seen.append, pause=pause)
        assert arena.bots.show_weights(SHA256) == composed_answers.Weights(SHA256, SIZE)
    assert len(pauses) >= 4
    assert all(pause_s == 2 for _, pause_s in pauses)
    assert seen == sorted(seen)
    assert seen[-1] == SIZE


class Lost(RemoteBots):
    """A client whose parts never arrive."""

    def upload_weights_part(self, sha256: str, data: bytes, *, offset: int) -> WeightsUpload:
        raise ArenaUnreachable("is away")


def test_client_gives_up_after_so_many_failures_without_progress(house: House) -> None:
    pauses: list[float] = []
    with (
        served(house.store, house.redis) as origin,
        RemoteArena(origin, house.token("ada")) as arena,
        pytest.raises(ArenaUnreachable, match="is away"),
    ):
        send_weights(
            Lost(arena), SHA256, BytesIO(CONTENT), SIZE, pause=lambda _error, pause_s: pauses.append(pause_s)
        )
    assert len(pauses) == MAX_FAILURES
    assert max(pauses) == 30


def test_client_does_not_repeat_what_is_refused_for_good(house: House) -> None:
    with (
        served(house.store, house.redis) as origin,
        RemoteArena(origin, house.token("ada")) as arena,
        pytest.raises(Refused, match="have the SHA-256"),
    ):
        send_weights(arena.bots, "ab" * 32, BytesIO(CONTENT), SIZE)

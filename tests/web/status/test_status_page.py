"""The status page and its JSON twin: what everybody may know of the arena, and nothing else."""

from __future__ import annotations

from arena.messaging import part_presence, presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect
from arena.operations import last_backup
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]


def test_page_says_first_what_is_wrong(house: House) -> None:
    with house.client() as client:
        page = client.get("/status").text
    assert "<strong>No matches are being played: no worker is running</strong>" in page
    assert "All systems work" not in page


def test_page_speaks_spanish(house: House) -> None:
    with house.client() as client:
        page = client.get("/status", headers={"Accept-Language": "es"}).text
    assert "No se juega ninguna partida: no hay ningún trabajador en marcha" in page


def test_every_page_links_to_it(house: House) -> None:
    with house.client() as client:
        assert '<a href="/status">' in client.get("/games").text


def test_api_has_the_figures_of_the_page(house: House) -> None:
    last_backup.note(house.store, 1000.5)
    with house.client() as client, connect(house.redis.url) as queue:
        presence.show(queue, "r-1", "", {}, "full: all holds")
        answer = client.get("/api/v1/status")
    found = answer.json()
    assert answer.headers["Cache-Control"] == "max-age=5"
    assert found["state"] == "down"
    assert [problem["code"] for problem in found["problems"]] == ["no_workers"]
    assert found["parts"] == {"webs": 1, "workers": 0, "referees": 1}
    assert (found["backup_at"], found["uploads"]["waiting"]) == (1000.5, 0)
    assert len(found["pace"]["steps"]) == 36


def test_neither_names_a_machine(house: House) -> None:
    with house.client() as client, connect(house.redis.url) as queue:
        presence.show(queue, "inner-1.example:7001", "bots.example:7000", {}, "none: no sandbox")
        part_presence.announce(queue, RunningPart("web", "inner-2.example-17", 5, ("no password",)))
        shown = client.get("/status").text + client.get("/api/v1/status").text
    assert not any(word in shown for word in ("example", "no password", "no sandbox"))

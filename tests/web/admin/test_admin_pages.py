"""What admins see of the platform, and what they mend from there."""

from __future__ import annotations

import html
import re

from fastapi.testclient import TestClient
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.registry import FailedJobRegistry
from sqlalchemy import update

from arena.accounts import audit_log, invitations
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.matches import blocks
from arena.messaging import job_queue, part_presence, presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect, connect_async
from arena.operations.start_checks import clock_check, environment_check
from arena.operations.start_checks.clock_check import ClockOffset
from arena.storage.schema import Version
from arena.web.app import create_app
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house, post

__all__ = ["furnished", "house"]

API = "/api/v1/admin"


def fail(client: Redis, tournament: int) -> str:
    """Have a job fail, as a worker does that cannot do it."""
    job_queue.requeue_block(client, tournament, 0)
    queue = Queue(job_queue.BLOCKS, connection=client, serializer=job_queue.SERIALIZER)
    (job_id,) = queue.get_job_ids()
    queue.remove(job_id)
    job = Job.fetch(job_id, connection=client, serializer=job_queue.SERIALIZER)
    FailedJobRegistry(queue=queue).add(job, ttl=60, exc_string="Traceback …\nOSError: no referee")
    return job_id


def test_admin_sees_the_queue_and_mends_what_failed(house: House) -> None:
    with house.browser("root") as root, connect(house.redis.url) as client:
        job_id = fail(client, 7)
        shown = root.get(f"{API}/queues").json()
        assert [(row["name"], row["waiting"], row["failed"]) for row in shown["queues"]] == [
            ("blocks", 0, 1),
            ("ratings", 0, 0),
            ("chances", 0, 0),
        ]
        assert shown["failed"][0]["work"] == "play_next_block()"
        assert "play_next_block()" in root.get("/admin/queues").text
        assert post(root, f"/admin/jobs/{job_id}/retry").status_code == 303
        waiting = root.get(f"{API}/queues").json()["queues"][0]
        assert (waiting["waiting"], waiting["failed"]) == (1, 0)
        assert waiting["oldest_at"] is not None
        client.delete("rq:queue:blocks")
        client.delete(Job.key_for(job_id))
        job_id = fail(client, 8)
        assert root.delete(f"{API}/jobs/{job_id}").status_code == 204
        assert post(root, f"/admin/jobs/{job_id}/forget").status_code == 404
    assert [row.action for row in audit_log.listing(house.store, OPERATOR, most=2)] == [
        "job.forget",
        "job.retry",
    ]


def test_admin_sees_who_plays_what(house: House) -> None:
    number = random_tournaments.create(house.store, "lost_cities", "random", "greedy", name="Spring Cup").id
    held = blocks.claim(house.store, "w-1", 60.0)
    assert held is not None
    with house.browser("root") as root, connect(house.redis.url) as client:
        presence.show(client, "r-1", "bots.example.org:8001", {}, "partial: memory is not bounded")
        workers = root.get(f"{API}/workers").json()
        assert [(row["worker"], row["tournament_id"], row["matches"]) for row in _blocks(workers)] == [
            ("w-1", number, 2)
        ]
        assert "Spring Cup" in root.get("/admin/workers").text
        (referee,) = root.get(f"{API}/referees").json()
        assert (referee["name"], referee["present"]) == ("r-1", True)
        page = root.get("/admin/referees").text
        assert '<span class="tag care">partial</span>' in page
        state = presence.RefereeState("0.2.0", 2, draining=True, matches=3)
        presence.show(client, "r-1", "bots.example.org:8001", {}, "full: all holds", state)
        (referee,) = root.get(f"{API}/referees").json()
        assert (referee["release"], referee["generation"]) == ("0.2.0", 2)
        assert (referee["draining"], referee["matches"]) == (True, 3)
        page = root.get("/admin/referees").text
        assert '<span class="tag care">draining</span>' in page
        assert "3 matches still run" in page
        overview = root.get("/admin").text
        assert re.search(r"<strong>1</strong><span>referees</span>", overview)


def _blocks(workers: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    return [{"worker": "w-1", **each} for each in workers["lost"]]


def test_admin_sees_faults_and_brings_a_suspended_bot_back(house: House) -> None:
    number = random_tournaments.create(house.store, "lost_cities", "random", "greedy", name="Spring Cup").id
    random_tournaments.play(house.store, number, fault=True)
    bot = bots.find(house.store, "lost_cities", "greedy")
    with house.store.write() as session:
        suspended = {"state": bots.SUSPENDED, "reason": "ten of its matches"}
        session.execute(update(Version).where(Version.id == bot.version_id).values(suspended))
    with house.browser("root") as root:
        found = root.get(f"{API}/faults").json()
        (fault,) = found["faults"]
        assert (fault["tournament"], fault["kind"]) == ("Spring Cup", "illegal action")
        assert fault["message"] == "index 99 is not one of the 8 actions offered"
        assert found["tally"][0]["kinds"] == {"illegal action": 1}
        assert root.get(f"{API}/faults", params={"kind": "crash"}).json()["faults"] == []
        assert root.get(f"{API}/faults", params={"bot": "nobody"}).json()["faults"] == []
        page = root.get("/admin/faults").text
        assert "index 99 is not one of" in page
        assert "ten of its matches" in page
        assert "its suspension ends after 60 more minutes of arena uptime" in page
        (suspension,) = root.get(f"{API}/suspensions").json()
        assert suspension["ends_in_s"] == 3600
        sent = {"game": "lost_cities", "bot": "greedy@1"}
        assert post(root, "/admin/suspensions/restore", **sent).status_code == 303
        assert root.get(f"{API}/suspensions").json() == []
        minutes = root.get(f"{API}/throughput").json()
        assert (len(minutes), sum(row["matches"] for row in minutes)) == (60, 2)


def test_message_of_a_fault_is_not_told_before_its_set_is_over(house: House) -> None:
    number = random_tournaments.create(house.store, "lost_cities", "random", "greedy").id
    random_tournaments.play(house.store, number, limit=1, fault=True)
    with house.browser("root") as root:
        assert root.get(f"{API}/faults").json()["faults"][0]["message"] is None
        assert "not public yet" in root.get("/admin/faults").text


def test_admin_makes_users_and_invitations_which_are_shown_once(house: House) -> None:
    with house.browser("root") as root, house.browser("ada") as ada, house.client() as client:
        made = post(root, "/admin/users", name="grace", role="organiser")
        (password,) = re.findall(r'<p class="shown-once">([^<]+)<', made.text)
        assert made.headers["cache-control"] == "no-store"
        login = {"name": "grace", "password": html.unescape(password)}
        assert client.post("/api/v1/login", json=login).status_code == 200
        taken = post(root, "/admin/users", name="grace", role="author")
        assert "is taken" in taken.text
        assert post(root, "/admin/users/root/role", role="author").status_code == 409
        assert ada.get("/api/v1/me").status_code == 200
        assert post(root, "/admin/users/ada/sign-out").status_code == 303
        assert ada.get("/api/v1/me").status_code == 401
        invited = post(root, "/admin/invitations", role="author", days="3")
        assert "/register?invitation=invite_" in invited.text
        (row,) = invitations.listing(house.store, OPERATOR)
        assert row.state == "open"
        assert post(root, f"/admin/invitations/{row.id}/revoke").status_code == 303
        assert root.get("/api/v1/invitations").json() == []
        assert post(root, "/admin/invitations", role="author", days="999").status_code == 422


def test_audit_log_is_filtered_and_paged(house: House) -> None:
    with house.store.write() as session:
        for number in range(60):
            audit_log.note(session, "ada", "bot.add", f"bot/lost_cities/b{number}")
    with house.browser("root") as root:
        page = root.get("/admin/audit", params={"who": "ada", "action": "bot."}).text
        assert page.count("<code>bot.add</code>") == 50
        older = html.unescape(re.findall(r'href="(\?[^"]*before=\d+)"', page)[0])
        assert root.get(f"/admin/audit{older}").text.count("<code>bot.add</code>") == 10
        found = root.get("/api/v1/audit", params={"subject": "bot/lost_cities/b5", "most": 200}).json()
        assert len(found) == 11
        assert root.get("/api/v1/audit", params={"action": "%"}).json() == []


def test_admin_is_told_when_redis_is_away(house: House) -> None:
    with house.browser("root") as root:
        cookies, headers = root.cookies, root.headers
    app = create_app(house.store, connect_async("unix:///nowhere/redis.sock"), ACCESS)
    with TestClient(app, raise_server_exceptions=False, cookies=cookies, headers=headers) as root:
        for part in ("", "/queues", "/workers", "/referees"):
            page = root.get(f"/admin{part}")
            assert page.status_code == 200
            assert "Redis is not answering" in page.text
        twin = root.get(f"{API}/queues")
        assert (twin.status_code, twin.json()["code"]) == (503, "unavailable")


def test_admin_sees_what_is_wrong_with_the_set_up_and_which_parts_say_so(house: House) -> None:
    clock, unknown = environment_warnings()
    with house.browser("root") as root, connect(house.redis.url) as client:
        part_presence.announce(client, RunningPart("web", "one-1", 5, (clock, unknown)))
        part_presence.announce(client, RunningPart("worker", "one-2", 5, (clock,)))
        presence.show(client, "r-1", "", {}, "full: all holds")
        presence.set_warnings(client, "r-1", (unknown,))
        found = root.get(f"{API}/warnings").json()
        english = root.get("/admin").text
        spanish = root.get("/admin", headers={"Accept-Language": "es"}).text
    assert found == [
        {"message": clock, "parts": ["web/one-1", "worker/one-2"]},
        {"message": unknown, "parts": ["web/one-1", "referee/r-1"]},
    ]
    assert "is 3 s ahead of the database" in english
    assert "va 3 s por delante del de la base de datos" in spanish
    assert "(web/one-1, referee/r-1)" in english


def environment_warnings() -> tuple[str, str]:
    """A warning about a clock, and one about the environment."""
    (clock,) = clock_check.check_offset(ClockOffset(3))
    (unknown,) = environment_check.check_names(["ARENA_DATABSE_URL"])
    return clock, unknown

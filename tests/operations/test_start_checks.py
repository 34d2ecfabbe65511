"""What is wrong with the set-up of an arena is said in one line each, with the remedy; what is right, not at all."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from redis import Redis
from sqlalchemy import make_url

from arena.core import child_process
from arena.core.settings import Settings, read
from arena.core.translatable import Wording
from arena.messaging import part_presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect, connect_quickly
from arena.operations.start_checks import certificate_check, clock_check, connections_check, environment_check
from arena.operations.start_checks.certificate_check import CertificateFile
from arena.operations.start_checks.clock_check import ClockOffset
from arena.operations.start_checks.connections_check import ConnectionLimits
from arena.operations.start_checks.part_files import control_files
from arena.operations.start_checks.start_warnings import StartWarnings
from arena.operations.start_checks.warning_texts import recall_warning
from arena.storage import Store, upgrade
from tests import certificates
from tests.parts import postgres_server
from tests.parts.redis_server import running_redis
from tests.stores import new_sqlite

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture(scope="module")
def client() -> Iterator[Redis]:
    with running_redis() as server, connect(server.url) as client:
        yield client


@pytest.fixture
def parts(client: Redis) -> Redis:
    client.flushall()
    return client


def test_a_misspelt_variable_is_named_with_the_one_that_was_meant() -> None:
    assert list(environment_check.check_names(["ARENA_DATABSE_URL"])) == [
        "ARENA_DATABSE_URL: unknown setting, ignored; did you mean ARENA_DATABASE_URL?"
    ]


def test_a_variable_that_is_like_none_is_named_alone() -> None:
    (words,) = environment_check.check_names(["ARENA_COLOUR_OF_THE_SKY"])
    assert words.startswith("ARENA_COLOUR_OF_THE_SKY: unknown setting in this version")


def test_variables_of_others_and_settings_are_not_named() -> None:
    names = ["PATH", "ARENA_DATA", "ARENA_CONTROL_KEY", "ARENA_TOKEN", "ARENA_TEST_PICTURES", "MY_ARENA_X"]
    assert list(environment_check.check_names(names)) == []


def test_every_setting_of_the_docs_is_known() -> None:
    rows = [
        line.split("|")[1] for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| `ARENA_")
    ]
    named = {word.strip(" `,") for row in rows for word in row.split()}
    assert len(named) > 30
    assert named - environment_check.known() == set()


def expiries(files: certificates.Files) -> list[str]:
    """Check a certificate and its authority, which lasts for years."""
    pair = CertificateFile("ARENA_TLS_CERT", str(files.certificate), str(files.key))
    found = certificate_check.gather([pair, CertificateFile("ARENA_CA", str(files.ca))])
    assert len(found) == 2
    return list(certificate_check.check_expiries(found, time.time()))


def test_a_certificate_that_expires_within_a_week_is_named_with_its_date(tmp_path: Path) -> None:
    files = certificates.issue(tmp_path, days=6)
    (words,) = expiries(files)
    date = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 6 * 86_400))
    assert words.startswith(f"ARENA_TLS_CERT {files.certificate}: expires on {date} ")
    assert words.endswith("renew the file, no restart is needed")


def test_a_certificate_that_has_expired_is_named(tmp_path: Path) -> None:
    (words,) = expiries(certificates.issue(tmp_path, days=-1))
    assert ": expired on " in words


def test_a_certificate_of_a_month_is_not_named(tmp_path: Path) -> None:
    assert expiries(certificates.issue(tmp_path, days=30)) == []


def test_root_certificates_are_named_when_the_last_of_them_expires(tmp_path: Path) -> None:
    files = certificates.issue(tmp_path)
    (found,) = certificate_check.gather([CertificateFile("ARENA_CA", str(files.ca))])
    (words,) = certificate_check.check_expiries([found], found.at - 3600)
    assert words.startswith(f"ARENA_CA {files.ca}: expires on ")


def test_files_that_cannot_be_read_are_left_to_those_who_use_them(tmp_path: Path) -> None:
    missing = CertificateFile("ARENA_CA", str(tmp_path / "none.pem"))
    assert certificate_check.gather([missing]) == ()


def test_both_certificates_of_the_control_port_are_looked_at() -> None:
    settings = read(control_tls_cert="a.pem", control_tls_key="a.key", control_tls_ca="ca.pem")
    assert [(each.setting, each.file) for each in control_files(settings)] == [
        ("ARENA_CONTROL_TLS_CERT", "a.pem"),
        ("ARENA_CONTROL_TLS_CA", "ca.pem"),
    ]


@pytest.mark.parametrize(
    ("ahead_s", "error_s", "says"),
    [
        (2.5, 0.1, "this machine's clock is 2.5 s ahead of the database's; set both by NTP"),
        (-31.0, 0.1, "this machine's clock is 31.0 s behind the database's; set both by NTP"),
        (1.9, 0.1, None),
        (2.5, 0.6, None),
    ],
)
def test_clocks_that_certainly_differ_by_two_seconds_are_said_so(
    ahead_s: float, error_s: float, says: str | None
) -> None:
    found = list(clock_check.check_offset(ClockOffset(ahead_s, error_s)))
    assert [words.startswith(says or "") for words in found] == ([] if says is None else [True])


@pytest.mark.postgres
def test_the_clock_of_a_database_on_this_machine_is_this_machine_s(server: postgres_server.Server) -> None:
    store = opened(server)
    offset = clock_check.measure(store)
    store.close()
    assert abs(offset.ahead_s) <= offset.error_s + 0.1
    assert list(clock_check.check_offset(offset)) == []


def opened(server: postgres_server.Server, *statements: str) -> Store:
    """Open a new store after some statements, in which {database} is its database."""
    url = server.new_database()
    upgrade(url)
    name = str(make_url(url).database)
    with psycopg.connect(
        host=str(server.socket), user="arena", dbname="postgres", autocommit=True
    ) as connection:
        for statement in statements:
            connection.execute(statement.format(database=name))
    return Store.open(url)


@pytest.mark.postgres
def test_a_postgresql_with_fewer_connections_than_its_parts_keep_is_said_so(
    server: postgres_server.Server, parts: Redis
) -> None:
    store = opened(server)
    limits = connections_check.read_limits(store)
    assert limits is not None
    assert (limits.most, limits.role, limits.most_of_role) == (40, "arena", None)
    for number in range(6):
        part_presence.announce(parts, RunningPart("worker", f"w-{number}", 5))
    found = StartWarnings(read(), store, parts, {})()
    store.close()
    assert found == (
        (
            "PostgreSQL allows 37 connections, and the webs and workers that run (6) may need 40:"
            " set max_connections = 60 and restart it"
        ),
    )


@pytest.mark.postgres
def test_a_limit_of_the_database_counts_too(server: postgres_server.Server, parts: Redis) -> None:
    store = opened(server, "ALTER DATABASE {database} CONNECTION LIMIT 12")
    part_presence.announce(parts, RunningPart("web", "w-1", 5))
    (words,) = StartWarnings(read(), store, parts, {})()
    store.close()
    assert words.startswith("PostgreSQL allows the user arena or its database 12 connections")
    assert words.endswith("raise its CONNECTION LIMIT to 30")


def test_enough_connections_are_not_mentioned() -> None:
    limits = ConnectionLimits(most=100, reserved=3, role="arena", most_of_role=None)
    seventeen = [RunningPart("worker", f"w-{number}", 5) for number in range(17)]
    assert list(connections_check.check_limits(limits, seventeen)) == []
    assert (
        len(list(connections_check.check_limits(limits, [*seventeen, replace(seventeen[0], name="w")]))) == 1
    )


def test_sqlite_has_no_such_limits_and_this_machine_s_clock(tmp_path: Path, parts: Redis) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    part_presence.announce(parts, RunningPart("worker", "w-1", 10_000))
    assert StartWarnings(read(), store, parts, {})() == ()
    store.close()


def settings(**given: object) -> Settings:
    return read(**given)


def test_all_that_is_wrong_is_found_together(tmp_path: Path, parts: Redis) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    files = certificates.issue(tmp_path, days=2)
    chosen = settings(
        redis_url="redis://cache:6379/0",
        control_tls_cert=str(files.certificate),
        control_tls_key=str(files.key),
        control_tls_ca=str(files.ca),
    )
    found = StartWarnings(chosen, store, parts, {"ARENA_SECRT": "x"})()
    store.close()
    assert [words.split()[0] for words in found] == [
        "ARENA_SECRT:",
        "ARENA_CONTROL_TLS_CERT",
        "ARENA_REDIS_URL",
    ]
    assert all("\n" not in words for words in found)


def test_what_cannot_be_asked_while_redis_is_away_is_left_out(tmp_path: Path) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    found = StartWarnings(read(), store, connect_quickly("redis://127.0.0.1:1/0"), {"ARENA_DATE": ""})()
    store.close()
    assert len(found) == 1


@pytest.mark.parametrize(
    "words",
    [
        *environment_check.check_names(["ARENA_DATABSE_URL", "ARENA_COLOUR_OF_THE_SKY"]),
        *clock_check.check_offset(ClockOffset(3.0)),
        *clock_check.check_offset(ClockOffset(-3.0)),
        *connections_check.check_limits(ConnectionLimits(10, 3, "arena", None), []),
        *connections_check.check_limits(ConnectionLimits(100, 3, "arena", 5), []),
    ],
)
def test_a_warning_that_was_announced_can_be_told_in_another_language(words: str) -> None:
    recalled = recall_warning(str.__str__(words))
    assert isinstance(words, Wording)
    assert isinstance(recalled, Wording)
    assert (recalled.message, recalled) == (words.message, words)


def test_a_worker_without_the_shared_key_stops_with_one_line_that_says_so(tmp_path: Path) -> None:
    environment = {"ARENA_DATA": str(tmp_path), "ARENA_CONTROL": "play1:7001", "ARENA_CONTROL_KEY": ""}
    done = subprocess.run(
        child_process.module("workers"),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (
        1,
        (
            "worker: ARENA_CONTROL_KEY: is not set, and the referee at play1:7001 asks for it;"
            " set it to the key that the referees have\n"
        ),
    )


def test_a_web_without_the_shared_key_is_warned_since_its_pages_work(tmp_path: Path, parts: Redis) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    chosen = settings(control="play1:7001")
    (words,) = StartWarnings(chosen, store, parts, {})()
    assert StartWarnings(chosen, store, parts, {"ARENA_CONTROL_KEY": "k"})() == ()
    store.close()
    assert words.startswith("ARENA_CONTROL_KEY: is not set")

"""The page *From one machine to many*: its commands are run as they stand, on machines made of namespaces, until an arena plays on them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.chaos.machines import folder_of_run, why_not
from tests.deploy.console_commands import Command, commands
from tests.deploy.namespaced_machines import NAMES, Machines, address_of, missing
from tests.patience import wait_until

PAGE = (Path(__file__).parents[2] / "docs" / "many-machines.md").read_text()
COMMANDS = tuple(commands(PAGE))
ARENA = (
    "(set -a; . /etc/bot-arena/arena.env; ARENA_DATA=/var/lib/bot-arena/admin /opt/bot-arena/bin/arena {})"
)
WITHIN_S = 90.0


def test_only_what_needs_packages_images_a_cluster_or_systemd_is_not_run() -> None:
    programs = (
        next(word for word in command.text.split() if not word.startswith("ARENA_"))
        for command in COMMANDS
        if command.left_out
    )
    left_out = {program.rpartition("/")[2] for program in programs}
    possible = {
        "apt",
        "cd",
        "generate-secrets",
        "kubectl",
        "make",
        "make-env",
        "pip",
        "podman",
        "python3",
        "systemctl",
    }
    assert left_out <= possible
    assert len([command for command in COMMANDS if not command.left_out]) > 30


def test_each_command_is_for_a_machine_that_the_page_names() -> None:
    assert {command.machine for command in COMMANDS} == {*NAMES, "each"}


def test_a_comment_before_a_block_leaves_it_out() -> None:
    page = "<!-- not run: why -->\n```console\none# first \\\n  second\ntwo$ third\n```\n\n```console\none# fourth\n```\n"
    assert list(commands(page)) == [
        Command("one", "first \\\n  second", "why"),
        Command("two", "third", "why"),
        Command("one", "fourth", ""),
    ]


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    """The machines after all commands of the page."""
    if reason := why_not():
        pytest.skip(reason)
    if packages := missing():
        pytest.skip(f"missing: apt-get install {packages}")
    folder = folder_of_run()
    made = Machines(folder)
    try:
        made.start()
        for command in COMMANDS:
            if not command.left_out:
                made.do(command)
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


def arena(machines: Machines, words: str) -> str:
    return machines.shell("work1", ARENA.format(words))


def get(machines: Machines, machine: str, path: str) -> dict[str, object]:
    """Ask for a page from a machine by the name that visitors use."""
    code = (
        "import ssl, urllib.request;"
        " context = ssl.create_default_context(cafile='/etc/bot-arena/tls/ca.pem');"
        f" print(urllib.request.urlopen('https://arena.example.org{path}', context=context, timeout=20).read().decode())"
    )
    return dict(json.loads(machines.shell(machine, f'/opt/bot-arena/bin/python -c "{code}"')))


def test_the_tournament_of_the_page_is_played_to_its_end(machines: Machines) -> None:
    def is_over() -> bool:
        return json.loads(arena(machines, "tournament show 1 --json"))["state"] == "finished"

    wait_until(is_over, "the tournament is over", within_s=WITHIN_S)


def test_the_proxy_shows_an_arena_that_is_well(machines: Machines) -> None:
    wait_until(
        lambda: get(machines, "db", "/health")["status"] == "ok", "all parts are well", within_s=WITHIN_S
    )


def test_parts_reach_postgresql_by_tls_alone(machines: Machines) -> None:
    query = "SELECT DISTINCT s.ssl, client_addr FROM pg_stat_activity JOIN pg_stat_ssl s USING (pid) WHERE client_addr IS NOT NULL"
    found = machines.shell("db", f'runuser -u postgres -- psql -At -c "{query}"').split()
    assert {line.partition("|")[0] for line in found} == {"t"}
    assert {line.partition("|")[2] for line in found} >= {address_of("work1"), address_of("work2")}


def test_redis_lets_nobody_in_without_a_password_or_in_the_clear(machines: Machines) -> None:
    ask = "redis-cli --tls --cacert /etc/bot-arena/tls/ca.pem -h cache ping"
    assert "NOAUTH" in machines.shell("work1", ask)
    assert "PONG" not in machines.shell("work1", "redis-cli -h cache ping 2>&1 || true")

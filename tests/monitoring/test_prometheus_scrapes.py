"""A real Prometheus with the shipped configuration, on a whole arena: it reaches all parts, and answers dashboards and alerts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from tests.deploy.dashboards import FILES, expressions, fill_in, load
from tests.monitoring.conftest import Monitored
from tests.monitoring.scraping import get, value
from tests.parts.arena_process import create, free_port
from tests.patience import wait_until

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "prometheus"
JOBS = {"arena-web": "web", "arena-worker": "worker", "arena-referee": "referee"}


@dataclass(frozen=True)
class Prometheus:
    """A running Prometheus, and what the variables of dashboards stand for in its arena."""

    port: int
    values: dict[str, str]

    def ask(self, path: str, **parameters: str) -> Any:
        """Ask its API; a query that it refuses fails the test with its words."""
        address = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:  # it has not yet read its own data
                raise
            pytest.fail(f"{path} {parameters}: {error.read().decode()}")

    def query(self, expression: str) -> list[Any]:
        """Return what an expression of a dashboard gives now."""
        found: list[Any] = self.ask("query", query=fill_in(expression, self.values))["result"]
        return found

    def has(self, expression: str) -> bool:
        """Return whether it gives anything; false while Prometheus does not answer yet."""
        with suppress(OSError):
            return bool(self.query(expression))
        return False


@pytest.fixture(scope="module")
def prometheus(monitored: Monitored, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """Start it while a tournament is played; it scrapes each second, and not every 15 s."""
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("prometheus is missing: apt-get install prometheus")
    folder = tmp_path_factory.mktemp("prometheus")
    shutil.copy(CONFIGURATION / "alerts.yml", folder)
    text = (CONFIGURATION / "prometheus.yml").read_text().replace("_interval: 15s", "_interval: 1s")
    for standard, port in ((9101, monitored.web), (9102, monitored.worker), (9103, monitored.referee)):
        assert text.count(f'"127.0.0.1:{standard}"') == 1
        text = text.replace(f"127.0.0.1:{standard}", f"127.0.0.1:{port}")
    (folder / "prometheus.yml").write_text(text)
    store = monitored.arena.open_store()
    tournament = create(store, cycles=20_000)  # for longer than the tests of this file take
    port = free_port()
    process = subprocess.Popen(
        [
            program,
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=error",
        ],
        env={"PATH": os.environ["PATH"]},
    )
    values = {
        "datasource": "",
        "instance": f"127.0.0.1:{monitored.referee}",
        "tournament": str(tournament),
        "__rate_interval": "1m",
    }
    try:
        yield Prometheus(port, values)
    finally:
        process.terminate()
        process.wait()
        lifecycle.cancel(store, tournament, OPERATOR)
        store.close()
        wait_until(
            lambda: value(get(monitored.worker, "/metrics")[1], "arena_leases_held") == 0,
            "its block is given back",
            within_s=60,
        )


@pytest.mark.parametrize("job", JOBS)
def test_each_part_is_up(prometheus: Prometheus, monitored: Monitored, job: str) -> None:
    instance = f"127.0.0.1:{getattr(monitored, JOBS[job])}"
    wait_until(
        lambda: prometheus.has(f'up{{job="{job}", instance="{instance}"}} == 1'), f"{job} is up", within_s=60
    )


def test_all_alerts_are_evaluated_without_an_error(prometheus: Prometheus) -> None:
    def rules() -> list[Any]:
        found = prometheus.ask("rules")["groups"]
        return [rule for group in found for rule in group["rules"]]

    wait_until(lambda: prometheus.has("up"), "it answers", within_s=60)
    wait_until(lambda: all(rule["health"] != "unknown" for rule in rules()), "all are evaluated", within_s=30)
    assert len(rules()) == (CONFIGURATION / "alerts.yml").read_text().count("- alert:")
    assert [rule["name"] for rule in rules() if rule["health"] != "ok"] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_answers_each_expression_of_a_dashboard(prometheus: Prometheus, file: Path) -> None:
    wait_until(lambda: prometheus.has("up"), "it answers", within_s=60)
    for expression in expressions(load(file)):
        prometheus.query(expression)  # fails where it is refused


@pytest.mark.parametrize(
    ("dashboard", "title"),
    [
        ("arena", "Matches a minute, by game"),
        ("arena", "Decisions a second"),
        ("arena", "Time of a decision, hosted bots"),
        ("arena", "Blocks of running tournaments"),
        ("arena", "Results stored a minute"),
        ("arena", "Lag of event loops, 99 %"),
        ("arena", "Memory of the parts"),
        ("arena", "Releases"),
        ("referee", "Worker connected"),
        ("referee", "Slots"),
        ("referee", "Matches a minute, by end"),
        ("referee", "Mean time of a decision"),
        ("referee", "Time from a start to the Hello, 95 %"),
        ("tournament", "Done"),
        ("tournament", "Matches a minute"),
        ("tournament", "Time left"),
        ("tournament", "Game"),
    ],
)
def test_while_a_tournament_is_played_panels_show_something(
    prometheus: Prometheus, dashboard: str, title: str
) -> None:
    (file,) = (file for file in FILES if file.stem == dashboard)
    targets = [
        target["expr"]
        for panel in load(file)["panels"]
        if panel["title"] == title and panel["type"] != "row"
        for target in panel["targets"]
    ]
    assert targets
    for expression in targets:
        wait_until(partial(prometheus.has, expression), expression, within_s=60)

"""A live Prometheus with the shipped configuration and alerts, on a machine of its own, where time runs SCALE times as fast.

Every duration of the rules is divided by SCALE: `for`, the windows of rates, and the ages that alerts compare.  Nothing else is
changed, so that what fires here fires in an arena, only later.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.chaos.health import enter_network
from bench.chaos.machines import Machine, Service, send, wait_for

SCALE = 30
"""An hour of the rules takes two minutes."""
FOLDER = Path(__file__).parents[2] / "deploy" / "prometheus"
_UNIT_S = {"s": 1, "m": 60, "h": 3600}
_START_S = 60.0
_PORT = 9090
_SERVICE = "prometheus"


class Prometheus:
    """It scrapes some addresses once a second."""

    def __init__(self, machine: Machine, targets: Mapping[str, Collection[str]]) -> None:
        """`targets` are the addresses of the monitoring ports, by job."""
        self._machine = machine
        self._targets = targets
        self._asking = ThreadPoolExecutor(1, initializer=enter_network, initargs=(machine.init,))
        (machine.folder / "alerts.yml").write_text(scale((FOLDER / "alerts.yml").read_text()))
        self._write(targets)
        machine.start(
            Service(
                _SERVICE,
                (
                    "prometheus",
                    f"--config.file={machine.folder / 'prometheus.yml'}",
                    f"--storage.tsdb.path={machine.folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{_PORT}",
                    "--log.level=warn",
                ),
                {},
            )
        )
        wait_for(self._is_ready, "Prometheus answers", _START_S)

    def firing(self) -> frozenset[str]:
        """Name the alerts that fire now."""
        found = self._asking.submit(_ask, "/api/v1/alerts").result()
        return frozenset(
            each["labels"]["alertname"] for each in found["data"]["alerts"] if each["state"] == "firing"
        )

    def started_at(self, address: str) -> str:
        """Return when the part at an address started, as scraped last; empty while it does not answer."""
        query = quote(f'process_start_time_seconds{{instance="{address}"}}')
        found = self._asking.submit(_ask, f"/api/v1/query?query={query}").result()
        return "".join(each["value"][1] for each in found["data"]["result"])

    def forget(self, job: str) -> None:
        """Take away all addresses of a job."""
        self._reload({**self._targets, job: ()})

    def remember(self) -> None:
        """Give all addresses back."""
        self._reload(self._targets)

    def close(self) -> None:
        """End asking; the machine ends the rest."""
        self._asking.shutdown()

    def _reload(self, targets: Mapping[str, Collection[str]]) -> None:
        self._write(targets)
        send(self._machine.wait_for(_SERVICE), signal.SIGHUP)

    def _write(self, targets: Mapping[str, Collection[str]]) -> None:
        text = (FOLDER / "prometheus.yml").read_text().replace("_interval: 15s", "_interval: 1s")
        for job, addresses in targets.items():
            pattern = rf"(job_name: {job}\n.*\n.*targets: ).*"
            text, count = re.subn(pattern, partial(_with_targets, addresses), text)
            assert count == 1, f"prometheus.yml has no job {job}"
        (self._machine.folder / "prometheus.yml").write_text(text)

    def _is_ready(self) -> bool:
        try:
            self.firing()
        except (OSError, http.client.HTTPException, KeyError, ValueError):
            return False
        return True


def scale(rules: str, by: int = SCALE) -> str:
    """Divide every duration of some rules."""
    rules = re.sub(r"(?<=\[)(\d+)([smh])(?=\])", lambda found: _shorten(found, by), rules)
    rules = re.sub(r"(?<=for: )(\d+)([smh])$", lambda found: _shorten(found, by), rules, flags=re.MULTILINE)
    return re.sub(r"(?<=_age_seconds\) > )\d+", lambda found: f"{int(found[0]) / by:g}", rules)


def why_not() -> str:
    """Return what is missing; empty if nothing is."""
    if shutil.which("prometheus") is None:
        return "needs Prometheus; `deploy/test-packages --chaos` installs it"
    return ""


def _shorten(found: re.Match[str], by: int) -> str:
    return f"{int(found[1]) * _UNIT_S[found[2]] * 1000 // by}ms"


def _ask(path: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", _PORT, timeout=5.0)
    try:
        connection.request("GET", path)
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        return found
    finally:
        connection.close()


def _with_targets(addresses: Collection[str], found: re.Match[str]) -> str:
    return found[1] + json.dumps(list(addresses))

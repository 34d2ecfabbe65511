"""The dashboards of `deploy/grafana`: what they ask for exists, and Prometheus's own tool can read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.dashboards import (
    FILES,
    FOLDER,
    GRAFANA_VARIABLES,
    expressions,
    fill_in,
    load,
    metrics_named,
    panels,
)

ROOT = FOLDER.parents[1]
UNITS = {"none", "s", "bytes", "percentunit", "reqps"}
OF_PROCESSES = {
    "process_cpu_seconds_total",
    "process_max_fds",
    "process_open_fds",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
}
"""What prometheus_client's collector of processes has."""

every_dashboard = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def listed() -> set[str]:
    """Return the metrics that docs/monitoring.md lists; a test of a whole arena holds it to what the parts show."""
    page = (ROOT / "docs" / "monitoring.md").read_text()
    return set(re.findall(r"^\| `(arena_\w+)` \|", page, re.MULTILINE))


def variables(dashboard: dict[str, Any]) -> set[str]:
    """Return the variables that a dashboard offers."""
    return {variable["name"] for variable in dashboard["templating"]["list"]}


def test_there_is_one_for_the_arena_one_for_a_referee_and_one_for_a_tournament() -> None:
    assert [file.stem for file in FILES] == ["arena", "referee", "tournament"]


@every_dashboard
def test_each_expression_names_only_metrics_that_there_are(file: Path) -> None:
    for expression in expressions(load(file)):
        named = metrics_named(expression)
        assert named, expression
        assert named - listed() - OF_PROCESSES - {"up"} == set(), expression


@every_dashboard
def test_each_variable_that_is_used_is_offered(file: Path) -> None:
    dashboard = load(file)
    used = set(re.findall(r"\$\{?(\w+)\}?", file.read_text()))
    assert used - variables(dashboard) == used & GRAFANA_VARIABLES.keys()
    assert variables(dashboard) - used == set()


@every_dashboard
def test_each_variable_is_filled_from_a_label_that_its_metric_has(file: Path) -> None:
    page = (ROOT / "docs" / "monitoring.md").read_text()
    for variable in load(file)["templating"]["list"]:
        if variable["type"] == "datasource":
            continue
        metric, label = re.findall(r"^label_values\((\w+), (\w+)\)$", variable["query"]["query"])[0]
        (labels,) = re.findall(rf"^\| `{metric}` \| \w+(?:; ([^|]*))? \|", page, re.MULTILINE)
        assert label in {"instance", "job", *labels.split(", ")}


@every_dashboard
def test_each_panel_has_a_number_of_its_own_a_title_and_a_unit(file: Path) -> None:
    dashboard = load(file)
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(numbers) == len(set(numbers))
    for panel in panels(dashboard):
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"] in UNITS, panel["title"]


@every_dashboard
def test_what_is_measured_in_seconds_is_shown_in_seconds(file: Path) -> None:
    for panel in panels(load(file)):
        seconds = {
            expression
            for expression in (target["expr"] for target in panel["targets"])
            if re.match(r"(max|min|histogram_quantile|topk)\b", expression)
            and re.search(r"_seconds\b|_seconds_bucket", expression)
        }
        assert not seconds or panel["fieldConfig"]["defaults"]["unit"] == "s", panel["title"]


@every_dashboard
def test_no_two_panels_lie_on_each_other(file: Path) -> None:
    taken: set[tuple[int, int]] = set()
    for panel in load(file)["panels"]:
        at = panel["gridPos"]
        cells = {
            (column, row)
            for column in range(at["x"], at["x"] + at["w"])
            for row in range(at["y"], at["y"] + at["h"])
        }
        assert at["x"] + at["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells


def test_no_two_dashboards_have_the_same_name_or_address() -> None:
    dashboards = [load(file) for file in FILES]
    for field in ("uid", "title"):
        assert len({dashboard[field] for dashboard in dashboards}) == len(dashboards)


@every_dashboard
def test_promtool_can_read_each_expression(file: Path, tmp_path: Path) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is missing: apt-get install prometheus")
    dashboard = load(file)
    values = {**dict.fromkeys(variables(dashboard), "1"), **GRAFANA_VARIABLES}
    rules = [
        {"record": f"panel:{number}", "expr": fill_in(expression, values)}
        for number, expression in enumerate(expressions(dashboard))
    ]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    done = subprocess.run(
        [program, "check", "rules", tmp_path / "rules.yml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_provider_reads_the_folder_into_which_compose_puts_the_dashboards() -> None:
    (provider,) = yaml.safe_load((FOLDER / "provisioning/dashboards/bot-arena.yaml").read_text())["providers"]
    (source,) = yaml.safe_load((FOLDER / "provisioning/datasources/prometheus.yaml").read_text())[
        "datasources"
    ]
    grafana = yaml.safe_load((ROOT / "deploy" / "compose.grafana.yaml").read_text())["services"]["grafana"]
    mounted = dict(volume.split(":")[:2] for volume in grafana["volumes"])
    assert mounted["./grafana/dashboards"] == provider["options"]["path"]
    assert mounted["./grafana/provisioning"] == "/etc/grafana/provisioning"
    assert source["url"].removeprefix("$") in grafana["environment"]


@pytest.mark.parametrize("name", ["prometheus/prometheus.yml", "container/prometheus.yml"])
def test_each_configuration_of_prometheus_has_the_alerts_and_their_names_of_jobs(name: str) -> None:
    configuration = yaml.safe_load((ROOT / "deploy" / name).read_text())
    assert configuration["rule_files"] == ["alerts.yml"]
    jobs = [job["job_name"] for job in configuration["scrape_configs"]]
    assert jobs == ["arena-web", "arena-worker", "arena-referee"]

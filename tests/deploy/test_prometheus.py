"""The alerts of `deploy/prometheus`, as Prometheus's own tool reads them, their runbook, and the metrics they name."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "prometheus"
RULES = (FOLDER / "alerts.yml").read_text()
ALERTS = re.findall(r"^ *- alert: (\w+)$", RULES, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "alerts.yml"),
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "alerts_test.yml"),
    ],
    ids=" ".join,
)
def test_promtool_takes_rules_and_configuration_and_their_tests_pass(arguments: tuple[str, ...]) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is missing: apt-get install prometheus")
    done = subprocess.run([program, *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_has_an_entry_in_the_runbook_and_points_to_it() -> None:
    entries = re.findall(r"^## (\w+)$", (ROOT / "docs" / "runbook.md").read_text(), re.MULTILINE)
    assert ALERTS
    assert entries == ALERTS
    pointed = re.findall(r"runbook: docs/runbook\.md#(\w+)$", RULES, re.MULTILINE)
    assert pointed == [alert.lower() for alert in ALERTS]


def test_each_alert_has_a_test_in_which_it_fires() -> None:
    tests = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    tried = {each["alertname"] for test in tests for each in test["alert_rule_test"] if each["exp_alerts"]}
    assert tried == set(ALERTS)


def metrics_of(expression: str) -> set[str]:
    """Return the metrics that an expression compares."""
    return set(re.findall(r"\b(?:arena_\w+|process_\w+|up)\b(?=[{)\[ ]|$)", expression))


def missing_in(case: dict[str, Any], metrics: set[str]) -> set[str]:
    """Return which metrics a case of alerts_test.yml does not supply."""
    given = {series["series"].partition("{")[0] for series in case["input_series"]}
    return metrics - given


@pytest.mark.parametrize("rule", yaml.safe_load(RULES)["groups"][0]["rules"], ids=lambda rule: rule["alert"])
def test_each_rule_is_tried_without_each_of_its_metrics(rule: dict[str, Any]) -> None:
    metrics = metrics_of(rule["expr"])
    assert metrics
    cases = [
        case
        for case in yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
        if any(each["alertname"] == rule["alert"] for each in case["alert_rule_test"])
    ]
    tried = set().union(*(missing_in(case, metrics) for case in cases))
    assert tried == metrics, (
        "a metric that is not there may keep the alert from firing: add a case without it"
    )


def test_alerts_name_only_metrics_that_there_are() -> None:
    listed = set(
        re.findall(r"^\| `(arena_\w+)` \|", (ROOT / "docs" / "monitoring.md").read_text(), re.MULTILINE)
    )
    named = {name.removesuffix("_bucket") for name in re.findall(r"\barena_\w+", RULES)}
    assert named
    assert named - listed == set()

"""The workflows of this repository, and the one that authors start with: actions by commit, strangers' code without privileges."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
OURS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
STARTER = ROOT / "arena" / "devtools" / "starters" / "workflow" / "arena.yml.txt"
USES = re.compile(r"^\s*(?:- )?uses: (?P<action>\S+)(?P<comment>.*)$", re.MULTILINE)
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")


def jobs(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(file.read_text())["jobs"]
    return found


@pytest.mark.parametrize("file", [*OURS, STARTER], ids=lambda file: file.name)
def test_actions_are_pinned_by_commit_and_named_by_version(file: Path) -> None:
    found = USES.findall(file.read_text())
    assert found
    for action, comment in found:
        assert PINNED.fullmatch(action), action
        assert re.fullmatch(r"  # v\d+\.\d+\.\d+", comment), (action, comment)


def test_the_same_action_has_the_same_commit_everywhere() -> None:
    found = {line for file in (*OURS, STARTER) for line in USES.findall(file.read_text())}
    names = [action.partition("@")[0] for action, _ in found]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_checkouts_leave_no_credentials_behind(file: Path) -> None:
    for job in jobs(file).values():
        for step in job["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_pull_requests_run_without_privileges() -> None:
    found = jobs(ROOT / ".github" / "workflows" / "gate.yml")
    privileged = {name for name, job in found.items() if "--privileged" in job["container"]["options"]}
    conditions = {name: job["if"] for name, job in found.items()}
    assert privileged == {"gate"}
    assert conditions == {
        "gate": "github.event_name != 'pull_request'",
        "pull-request": "github.event_name == 'pull_request'",
    }
    assert all(
        "pull_request" not in yaml.safe_load(file.read_text())[True]
        for file in OURS
        if file.name != "gate.yml"
    ), "no other workflow runs a stranger's code"

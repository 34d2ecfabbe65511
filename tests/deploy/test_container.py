"""The files of `deploy/container` and `deploy/compose.yaml`, read without a container engine: what they name exists."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from arena.core.release import release
from arena.core.settings import Settings
from arena.referee_client.control_credentials import KEY_VARIABLE
from tests.cli.running import run

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
CONTAINERFILE = (DEPLOY / "container" / "Containerfile").read_text()
MADE_OF = {"mount", "umount2", "pivot_root", "unshare", "sethostname", "seccomp", "clone", "clone3"}
"""The system calls that a sandbox is made of."""
OF_PROXY = {"ARENA_SITE", "ARENA_WEB", "ARENA_REFEREE_BOTS"}
"""What the proxy's configuration reads."""
MONITORING = "ARENA_MONITORING"


def test_each_variable_of_compose_is_a_setting() -> None:
    known = {f"ARENA_{name}".upper() for name in Settings.model_fields} | {KEY_VARIABLE, MONITORING}
    given = set(re.findall(r"^ +(ARENA_\w+): ", COMPOSE, re.MULTILINE))
    assert given - known - OF_PROXY == {"ARENA_REDIS_PASSWORD"}


def test_each_target_that_compose_builds_is_one_of_the_containerfile() -> None:
    targets = set(re.findall(r"target: (\w+)", COMPOSE))
    assert targets
    assert targets <= set(re.findall(r"^FROM \S+ AS (\w+)$", CONTAINERFILE, re.MULTILINE))


def test_each_file_that_compose_mounts_exists() -> None:
    files = re.findall(r"(?:- |\[\"|=)(\./[\w./-]+)", COMPOSE)
    assert len(files) >= 4
    assert [file for file in files if not (DEPLOY / file).is_file()] == []


@pytest.mark.parametrize("part", ["web", "worker", "referee"])
def test_the_arena_has_the_commands_and_options_of_compose(part: str) -> None:
    lines = re.findall(rf"command: \[serve, {part}(.*)\]", COMPOSE)
    options = {word for line in lines for word in re.findall(r"--[\w-]+", line)}
    done = run("serve", part, "--help")
    assert lines
    assert (done.code, [option for option in options if option not in done.out]) == (0, [])


def test_containers_and_pods_run_as_the_user_of_the_image() -> None:
    (user,) = set(re.findall(r"^USER (\d+:\d+)$", CONTAINERFILE, re.MULTILINE))
    pods = [file.read_text() for file in (DEPLOY / "kubernetes" / "base").glob("*.yaml")]
    ids = [number for text in pods for number in re.findall(r"(?:runAsUser|runAsGroup|fsGroup): (\d+)", text)]
    assert ids
    assert {f"{number}:{number}" for number in ids} == {user}


def test_pods_run_the_image_of_this_release() -> None:
    (built,) = set(re.findall(r"localhost/(bot-arena):latest", COMPOSE))
    for file in (DEPLOY / "kubernetes").rglob("kustomization.yaml"):
        for image in yaml.safe_load(file.read_text()).get("images", ()):
            assert (image["name"], str(image["newTag"])) == (built, release()), file


@pytest.mark.parametrize("part", ["web", "worker", "referee"])
def test_health_of_each_part_is_asked_for_at_its_monitoring_port(part: str) -> None:
    services = yaml.safe_load(COMPOSE)["services"].items()
    parts = [service for _, service in services if service.get("command", ())[:2] == ["serve", part]]
    assert len(parts) >= 2
    for service in parts:
        port = service["environment"][MONITORING].rpartition(":")[2]
        assert service["healthcheck"]["test"] == ["CMD", "is-ready", port]


def test_referees_have_the_time_to_drain() -> None:
    referees = [
        service
        for name, service in yaml.safe_load(COMPOSE)["services"].items()
        if name.startswith("referee-")
    ]
    assert len(referees) == 2
    for service in referees:
        assert int(service["stop_grace_period"].removesuffix("s")) > Settings.model_fields["drain_s"].default


def test_seccomp_profile_allows_what_sandboxes_are_made_of_and_refuses_all_that_it_does_not_name() -> None:
    profile = json.loads((DEPLOY / "container" / "seccomp.json").read_text())
    allowed = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW"}
    assert allowed >= MADE_OF
    assert allowed.isdisjoint({"bpf", "init_module", "kexec_load", "keyctl", "perf_event_open", "ptrace"})


def test_redis_has_the_rights_that_the_docs_give_it() -> None:
    (documented,) = re.findall(
        r"^user arena on >PASSWORD (.*)$",
        (DEPLOY.parent / "docs" / "deployment.md").read_text(),
        re.MULTILINE,
    )
    (given,) = re.findall(
        r"^user arena on >\$ARENA_REDIS_PASSWORD (.*)$",
        (DEPLOY / "container" / "start-redis").read_text(),
        re.MULTILINE,
    )
    assert given == documented


def test_secrets_are_made_once_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "container"
    folder.mkdir()
    script = folder / "make-env"
    script.write_text((DEPLOY / "container" / "make-env").read_text())
    subprocess.run(["sh", str(script), "arena.example.org"], check=True, capture_output=True)
    file = tmp_path / ".env"
    first = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "ARENA_SITE=arena.example.org\n" in first
    needed = set(re.findall(r"\$\{(\w+):\?", COMPOSE))
    assert needed <= set(re.findall(r"^(\w+)=[0-9a-f]{64}$", first, re.MULTILINE))
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    assert file.read_text() == first


def test_the_web_believes_the_proxy_alone_in_a_network_without_referees() -> None:
    services = yaml.safe_load(COMPOSE)["services"]
    web, proxy = services["web-1"], services["proxy"]
    assert web["environment"]["FORWARDED_ALLOW_IPS"] == "proxy"
    (shared,) = set(web["networks"]) & set(proxy["networks"])
    members = {name for name, service in services.items() if shared in service["networks"]}
    assert members == {"web-1", "web-2", "proxy"}
    assert set(services["referee-1"]["networks"]) & set(proxy["networks"]) == {"bots"}

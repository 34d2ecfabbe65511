"""The manifests of `deploy/kubernetes`: schemas of two Kubernetes versions, settings, secrets, the order in which they are applied."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from arena.core.settings import Settings
from arena.referee_client.control_credentials import KEY_VARIABLE
from tests.cli.running import run
from tests.deploy.kubernetes.rendered_manifests import PARTS, ROOT, SOURCE, Rendered, kustomize

SETTINGS_FILE = "base/settings.env"
VERSIONS = ("1.31", "1.37")
"""The oldest Kubernetes that has all that is used here, and the newest one whose schemas are at hand."""
SETTINGS = {f"ARENA_{name}".upper() for name in Settings.model_fields} | {
    KEY_VARIABLE,
    "ARENA_LOG_FILE",
    "ARENA_COMPILED",
}
"""All that the arena reads from the environment, by names of its own."""
SECRET = {"ARENA_DATABASE_URL", "ARENA_REDIS_URL", "ARENA_SECRET", KEY_VARIABLE}
FROM_ELSEWHERE = {
    "FORWARDED_ALLOW_IPS",
    "POD_NAME",
    "BOTS_DOMAIN",
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "PGDATA",
}


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_knows_each_field(overlay: Rendered, version: str) -> None:
    for manifest in overlay.manifests:
        kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_knows_each_field_of_what_installs_the_profile(
    manifests_folder: Path, version: str
) -> None:
    for manifest in kustomize(manifests_folder / "seccomp").manifests:
        kubernetes_validate.validate(manifest, version, strict=True)


def test_a_field_that_kubernetes_does_not_know_is_found(rendered: dict[str, Rendered]) -> None:
    manifest = rendered["small"].all("Deployment")["web"]
    wrong = {**manifest, "spec": {**manifest["spec"], "replica": 2}}
    with pytest.raises(kubernetes_validate.ValidationError, match="replica"):
        kubernetes_validate.validate(wrong, VERSIONS[0], strict=True)


# --- settings


def test_every_setting_is_in_the_file_of_the_config_map() -> None:
    """A setting that is new in `arena/core/settings.py` gets its lines there as in `deploy/systemd/arena.env`."""
    written = set(re.findall(r"^#?(ARENA_\w+)=", (SOURCE / SETTINGS_FILE).read_text(), re.MULTILINE))
    assert written == SETTINGS - SECRET


def test_the_lines_of_the_config_map_s_file_say_the_same_as_those_for_systemd() -> None:
    def lines(file: Path) -> dict[str, str]:
        return dict(re.findall(r"((?:^# .*\n)+)#(ARENA_\w+=.*)$", file.read_text(), re.MULTILINE))

    of_units = lines(ROOT / "deploy" / "systemd" / "arena.env")
    ours = {word: line for word, line in lines(SOURCE / SETTINGS_FILE).items() if "ARENA_DATA=" not in line}
    assert ours.items() <= of_units.items() | {
        ("# File that a part logs to; empty: its standard error.\n", "ARENA_LOG_FILE=")
    }


def test_parts_get_no_variable_that_nothing_reads(overlay: Rendered) -> None:
    for name in overlay.pods:
        assert (name, overlay.environment(name) - SETTINGS - FROM_ELSEWHERE) == (name, set())


@pytest.mark.parametrize(
    ("workload", "secrets"),
    [
        ("web", SECRET),
        ("worker", SECRET - {"ARENA_SECRET"}),
        ("referee", {KEY_VARIABLE}),
        ("upgrade", {"ARENA_DATABASE_URL", "ARENA_REDIS_URL"}),
        ("backup", {"ARENA_DATABASE_URL", "ARENA_REDIS_URL"}),
    ],
)
def test_a_part_is_given_only_the_secrets_that_it_needs(
    overlay: Rendered, workload: str, secrets: set[str]
) -> None:
    assert overlay.environment(workload) & SECRET == secrets


def test_workers_and_webs_name_every_referee(overlay: Rendered) -> None:
    count = overlay.all("StatefulSet")["referee"]["spec"]["replicas"]
    named = overlay.data("ConfigMap", "settings")["ARENA_CONTROL"].split(",")
    assert named == [f"referee-{number}.referee:7001" for number in range(count)]


def test_the_arena_takes_what_the_config_map_sets(overlay: Rendered, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in overlay.data("ConfigMap", "settings").items():
        monkeypatch.setenv(name, value)
    assert Settings().sandbox == "on"


@pytest.mark.parametrize("workload", [*PARTS, "upgrade", "backup"])
def test_the_arena_has_the_command_of_a_container_and_its_options(overlay: Rendered, workload: str) -> None:
    (container,) = overlay.pods[workload]["spec"]["containers"]
    words = container["args"]
    command = [word for word in words if word.isalpha()]
    done = run(*command, "--help")
    assert (done.code, done.error) == (0, "")
    assert [word for word in words if word.startswith("--") and word not in done.out] == []


# --- secrets


def test_no_secret_is_in_the_repository() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", str(SOURCE)], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert "generate-secrets" in tracked
    assert "/secrets/" not in tracked
    assert not re.search(
        r"(?m)^\s*(?:stringData|kind: Secret$)", "".join(file.read_text() for file in SOURCE.glob("*/*.yaml"))
    )


def test_secrets_of_two_arenas_differ(manifests_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "deployment.md", tmp_path / "docs")
    other = tmp_path / "deploy" / "kubernetes"
    shutil.copytree(SOURCE, other, ignore=shutil.ignore_patterns("secrets"))
    subprocess.run(
        [other / "generate-secrets", "small"], env={"PATH": "/usr/bin:/bin"}, check=True, capture_output=True
    )
    for name in ("control.env", "web.env", "stores.env", "users.acl", "tls.key"):
        assert (other / "overlays/small/secrets" / name).read_text() != (
            manifests_folder / "overlays/small/secrets" / name
        ).read_text()


def test_secrets_that_are_there_stay(manifests_folder: Path) -> None:
    secrets = manifests_folder / "overlays" / "small" / "secrets"
    before = {file.name: file.read_bytes() for file in secrets.iterdir()}
    done = subprocess.run(
        [manifests_folder / "generate-secrets", "small"], check=True, capture_output=True, text=True
    )
    assert done.stdout == ""
    assert {file.name: file.read_bytes() for file in secrets.iterdir()} == before


def test_the_large_overlay_asks_for_the_urls_that_it_needs(tmp_path: Path) -> None:
    copy = tmp_path / "kubernetes"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("secrets"))
    done = subprocess.run(
        [copy / "generate-secrets", "large"],
        env={"PATH": "/usr/bin:/bin"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "ARENA_DATABASE_URL: must be the URL of PostgreSQL" in done.stderr


def test_the_control_certificate_is_for_every_referee(manifests_folder: Path, overlay: Rendered) -> None:
    names = subprocess.run(
        [
            "openssl",
            "x509",
            "-noout",
            "-ext",
            "subjectAltName",
            "-in",
            manifests_folder / "overlays/small/secrets/tls.crt",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for address in overlay.data("ConfigMap", "settings")["ARENA_CONTROL"].split(","):
        assert f"DNS:{address.partition(':')[0]}" in names.replace(",", " ").split()


def test_redis_and_the_parts_have_the_same_password(manifests_folder: Path) -> None:
    secrets = manifests_folder / "overlays" / "small" / "secrets"
    (password,) = re.findall(r"redis://arena:(\w{64})@redis:6379/0", (secrets / "stores.env").read_text())
    assert f"user arena on >{password} " in (secrets / "users.acl").read_text()
    assert "user default off" in (secrets / "users.acl").read_text()


# --- how it is brought out, and how it grows


def test_all_that_the_upgrade_needs_is_applied_before_the_parts(overlay: Rendered) -> None:
    first = {
        (each["kind"], each["metadata"]["name"])
        for each in overlay.manifests
        if each["metadata"].get("labels", {}).get("rollout") == "first"
    }
    kinds = {"Namespace", "NetworkPolicy", "ConfigMap", "Secret"}
    needed = {(each["kind"], each["metadata"]["name"]) for each in overlay.manifests if each["kind"] in kinds}
    stores = {
        (kind, name)
        for kind in ("StatefulSet", "Service")
        for name in ("postgresql", "redis")
        if name in overlay.all(kind)
    }
    assert first == needed | stores | {("Job", "upgrade")}


def test_each_referee_of_a_large_arena_has_a_name_outside(rendered: dict[str, Rendered]) -> None:
    services = rendered["large"].all("Service")
    for number in range(rendered["large"].all("StatefulSet")["referee"]["spec"]["replicas"]):
        service = services[f"bots-{number}"]
        assert service["spec"]["selector"] == {"statefulset.kubernetes.io/pod-name": f"referee-{number}"}
        domain = rendered["large"].data("ConfigMap", "settings")["BOTS_DOMAIN"]
        assert (
            service["metadata"]["annotations"]["external-dns.alpha.kubernetes.io/hostname"]
            == f"referee-{number}.{domain}"
        )


def test_referees_see_the_addresses_of_bots(overlay: Rendered) -> None:
    bots = [each["spec"] for name, each in overlay.all("Service").items() if name.startswith("bots")]
    assert bots
    assert all((each["type"], each["externalTrafficPolicy"]) == ("LoadBalancer", "Local") for each in bots)


def test_a_browser_is_kept_at_the_process_that_has_its_table(overlay: Rendered) -> None:
    (rule,) = overlay.all("Ingress")["web"]["spec"]["rules"]
    paths = {each["path"]: each["backend"]["service"]["name"] for each in rule["http"]["paths"]}
    assert paths == {"/play": "web-play", "/api/v1/play": "web-play", "/": "web"}
    sticky = overlay.all("Service")["web-play"]["metadata"]["annotations"]
    assert sticky["traefik.ingress.kubernetes.io/service.sticky.cookie"] == "true"


def test_workers_grow_with_the_age_of_the_queue(rendered: dict[str, Rendered]) -> None:
    scaler = rendered["large"].all("HorizontalPodAutoscaler")["worker"]["spec"]
    (metric,) = scaler["metrics"]
    name = metric["external"]["metric"]["name"]
    assert name == "arena_queue_oldest_block_age_seconds"
    adapter = yaml.safe_load((SOURCE / "examples" / "prometheus-adapter.yaml").read_text())
    assert [rule["name"]["as"] for rule in adapter["rules"]["external"]] == [name]
    assert name in (SOURCE / "examples" / "keda.yaml").read_text()
    assert "replicas" not in rendered["large"].all("Deployment")["worker"]["spec"]


def test_external_secrets_have_the_names_that_the_parts_look_for(rendered: dict[str, Rendered]) -> None:
    given = {}
    for each in yaml.safe_load_all((SOURCE / "examples" / "external-secrets.yaml").read_text()):
        given[each["spec"]["target"]["name"]] = {row["secretKey"] for row in each["spec"]["data"]}
    assert given == {
        name: set(rendered["large"].data("Secret", name)) for name in ("stores", "control", "web")
    }


def test_certificates_have_the_names_under_which_the_pods_look_for_them(overlay: Rendered) -> None:
    made = {
        each["spec"]["secretName"]: each["spec"].get("dnsNames", [])
        for each in yaml.safe_load_all((SOURCE / "examples" / "certificates.yaml").read_text())
        if each["kind"] == "Certificate"
    }
    asked = {
        re.sub(r"-[a-z0-9]{10}$", "", volume["secret"]["secretName"])
        for part in PARTS
        for volume in overlay.pods[part]["spec"]["volumes"]
        if "secret" in volume
    }
    assert asked == {"control-tls", "bots-tls"}
    assert asked <= set(made)
    named = overlay.data("ConfigMap", "settings")["ARENA_CONTROL"].split(",")
    assert {address.partition(":")[0] for address in named} <= set(made["control-tls"])

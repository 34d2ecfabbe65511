"""What each pod of `deploy/kubernetes` has: rights, memory, probes, time to end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.core.settings import Settings
from tests.deploy.kubernetes.rendered_manifests import PARTS, Manifest, Rendered


def containers(rendered: Rendered) -> Iterator[tuple[str, Manifest]]:
    for workload, pod in rendered.pods.items():
        for container in (*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]):
            yield workload, container


def test_no_container_has_more_rights_than_it_needs(overlay: Rendered) -> None:
    for workload, container in containers(overlay):
        context = container["securityContext"]
        assert (workload, context) == (
            workload,
            {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
        )


def test_no_pod_runs_as_root_or_knows_the_cluster(overlay: Rendered) -> None:
    for workload, pod in overlay.pods.items():
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"], workload
        assert spec["securityContext"]["seccompProfile"]["type"] in {"RuntimeDefault", "Localhost"}, workload
        assert spec["automountServiceAccountToken"] is False, workload
        assert spec["enableServiceLinks"] is False, workload


def test_referees_alone_have_the_profile_that_lets_them_make_sandboxes(overlay: Rendered) -> None:
    profiles = {name: pod["spec"]["securityContext"]["seccompProfile"] for name, pod in overlay.pods.items()}
    special = {name: profile for name, profile in profiles.items() if profile["type"] != "RuntimeDefault"}
    assert special == {"referee": {"type": "Localhost", "localhostProfile": "bot-arena/seccomp.json"}}


def test_each_container_says_what_memory_and_processor_it_needs(overlay: Rendered) -> None:
    for workload, container in containers(overlay):
        resources = container["resources"]
        assert set(resources["requests"]) == {"cpu", "memory"}, workload
        assert "memory" in resources["limits"], workload


def test_a_referee_is_not_throttled(overlay: Rendered) -> None:
    """What the kernel withholds from a container would be missing on its bots' clocks."""
    (container,) = overlay.pods["referee"]["spec"]["containers"]
    assert "cpu" not in container["resources"]["limits"]


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_asked_for_its_health_on_its_monitoring_port(overlay: Rendered, part: str) -> None:
    (container,) = overlay.pods[part]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports["monitoring"] == PARTS[part]
    assert {"name": "ARENA_MONITORING", "value": f"0.0.0.0:{PARTS[part]}"} in container["env"]
    asked = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    # A web that is not ready still has pages, so it must be ready only at first.
    first, later = ("ready", "live") if part == "web" else ("live", "ready")
    assert asked == {
        "startup": {"path": f"/health/{first}", "port": "monitoring"},
        "liveness": {"path": "/health/live", "port": "monitoring"},
        "readiness": {"path": f"/health/{later}", "port": "monitoring"},
    }


@pytest.mark.parametrize("part", PARTS)
def test_prometheus_finds_each_part_s_monitoring_port(overlay: Rendered, part: str) -> None:
    annotations = overlay.pods[part]["metadata"]["annotations"]
    assert annotations == {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(PARTS[part]),
        "prometheus.io/path": "/metrics",
    }


def test_what_serves_is_probed(overlay: Rendered) -> None:
    for kind in ("Deployment", "StatefulSet"):
        for name, workload in overlay.all(kind).items():
            for container in workload["spec"]["template"]["spec"]["containers"]:
                assert {"startupProbe", "livenessProbe", "readinessProbe"} <= set(container), name


def test_a_referee_has_the_time_to_drain(overlay: Rendered) -> None:
    drain_s = int(
        overlay.data("ConfigMap", "settings").get("ARENA_DRAIN_S", Settings.model_fields["drain_s"].default)
    )
    assert overlay.pods["referee"]["spec"]["terminationGracePeriodSeconds"] >= drain_s + 30


@pytest.mark.parametrize("part", PARTS)
def test_a_part_s_pods_are_spread_over_machines_and_not_evicted_all_at_once(
    overlay: Rendered, part: str
) -> None:
    pod = overlay.pods[part]
    (spread,) = pod["spec"]["topologySpreadConstraints"]
    assert spread["topologyKey"] == "kubernetes.io/hostname"
    assert spread["labelSelector"]["matchLabels"] == pod["metadata"]["labels"]
    budget = overlay.all("PodDisruptionBudget")[part]["spec"]
    assert budget["selector"]["matchLabels"] == pod["metadata"]["labels"]

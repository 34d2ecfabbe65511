"""Who reaches whom in `deploy/kubernetes`, by its network policies."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from arena.net.address_policy import why_forbidden
from tests.deploy.rendered_manifests import PARTS, Manifest, Rendered, ports_of, selects


def may_pass(
    rules: list[Manifest], other: str, pods: dict[str, Manifest], port: int, named: dict[str, int], side: str
) -> bool:
    """Return whether a rule lets a port through for another pod; peers of other namespaces and addresses are not looked at."""
    for rule in rules:
        ports = [named.get(each["port"], each["port"]) for each in rule.get("ports", ())]
        if ports and port not in ports:
            continue
        if side not in rule:
            return True
        for peer in rule[side]:
            if (
                "podSelector" in peer
                and "namespaceSelector" not in peer
                and selects(peer["podSelector"], pods[other]["metadata"]["labels"])
            ):
                return True
    return False


def reachable(rendered: Rendered) -> set[tuple[str, str, int]]:
    """Return who reaches which port of whom inside of the namespace, by the network policies on both sides."""
    pods = rendered.pods
    rules: dict[tuple[str, str], list[Manifest]] = {
        (name, way): [] for name in pods for way in ("ingress", "egress")
    }
    for policy in rendered.all("NetworkPolicy").values():
        for name, pod in pods.items():
            if selects(policy["spec"]["podSelector"], pod["metadata"]["labels"]):
                for way in ("ingress", "egress"):
                    rules[name, way] += policy["spec"].get(way, [])
    found = set()
    for target, pod in pods.items():
        named = ports_of(pod)
        for port in named.values():
            for source in pods:
                if (
                    source != target
                    and may_pass(rules[target, "ingress"], source, pods, port, named, "from")
                    and may_pass(rules[source, "egress"], target, pods, port, {}, "to")
                ):
                    found.add((source, target, port))
    return found


STORES = {
    *((part, "postgresql", 5432) for part in ("web", "worker", "upgrade", "backup")),
    *((part, "redis", 6379) for part in ("web", "worker")),
}
CONTROL = {("web", "referee", 7001), ("worker", "referee", 7001)}


def test_in_a_small_arena_nothing_reaches_more_than_it_needs(rendered: dict[str, Rendered]) -> None:
    assert reachable(rendered["small"]) == CONTROL | STORES


def test_in_a_large_arena_nothing_reaches_more_than_it_needs(rendered: dict[str, Rendered]) -> None:
    assert reachable(rendered["large"]) == CONTROL


def test_all_that_is_not_named_is_denied(overlay: Rendered) -> None:
    assert overlay.all("NetworkPolicy")["nothing-else"]["spec"] == {
        "podSelector": {},
        "policyTypes": ["Ingress", "Egress"],
    }


def test_each_policy_says_which_way_it_is_for(overlay: Rendered) -> None:
    for name, policy in overlay.all("NetworkPolicy").items():
        ways = {way for way in ("ingress", "egress") if way in policy["spec"]}
        if name != "nothing-else":
            assert {way.lower() for way in policy["spec"]["policyTypes"]} == ways, name


def test_a_referee_reaches_public_addresses_alone(overlay: Rendered) -> None:
    """The same that the arena itself calls public: no network of an operator's, no cloud's metadata service."""
    (rule,) = overlay.all("NetworkPolicy")["referee"]["spec"]["egress"]
    blocks = [peer["ipBlock"] for peer in rule["to"]]

    def passes(text: str) -> bool:
        return any(
            ip_address(text) in ip_network(block["cidr"])
            and not any(ip_address(text) in ip_network(each) for each in block.get("except", ()))
            for block in blocks
        )

    for text in (
        "10.1.2.3",
        "172.20.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "127.0.0.1",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104
        "224.0.0.1",
        "::1",
        "fd00::1",
        "fe80::1",
    ):
        assert (text, passes(text), not why_forbidden(ip_address(text))) == (text, False, False)
    for text in ("9.9.9.9", "2620:fe::fe"):
        assert (text, passes(text), not why_forbidden(ip_address(text))) == (text, True, True)


def test_prometheus_alone_reaches_the_monitoring_ports_from_another_namespace(overlay: Rendered) -> None:
    found = [
        (name, rule["from"])
        for name, policy in overlay.all("NetworkPolicy").items()
        for rule in policy["spec"].get("ingress", ())
        if any(each["port"] in {"monitoring", *PARTS.values()} for each in rule["ports"])
    ]
    assert found == [
        (
            "monitoring",
            [
                {
                    "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}},
                    "podSelector": {"matchLabels": {"app.kubernetes.io/name": "prometheus"}},
                }
            ],
        )
    ]


def test_policies_and_services_name_ports_that_the_pods_have(overlay: Rendered) -> None:
    for policy in overlay.all("NetworkPolicy").values():
        taken = [
            pod
            for pod in overlay.pods.values()
            if selects(policy["spec"]["podSelector"], pod["metadata"]["labels"])
        ]
        for rule in policy["spec"].get("ingress", ()):
            for port in rule["ports"]:
                assert all(port["port"] in ports_of(pod) for pod in taken), policy["metadata"]["name"]
    for service in overlay.all("Service").values():
        selector = service["spec"]["selector"]
        selector = (
            {"app.kubernetes.io/component": "referee"}
            if "statefulset.kubernetes.io/pod-name" in selector
            else selector
        )
        taken = [
            pod
            for pod in overlay.pods.values()
            if selects({"matchLabels": selector}, pod["metadata"]["labels"])
        ]
        assert len(taken) == 1, service["metadata"]["name"]
        for port in service["spec"]["ports"]:
            assert port["targetPort"] in ports_of(taken[0])

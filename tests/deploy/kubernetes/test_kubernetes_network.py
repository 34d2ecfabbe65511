"""Who reaches whom in `deploy/kubernetes`, by its network policies."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network

from arena.net.address_policy import IPAddress, why_forbidden
from tests.deploy.kubernetes.rendered_manifests import PARTS, Manifest, Rendered, ports_of, selects


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


SPECIAL = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"),
    *(
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.0.0/29",
        "192.0.0.170/31",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
    ),
    *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "9.9.9.9/32"),
    *("::1/128", "::ffff:0:0/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001::/23", "2001:2::/48"),
    *(
        "2001:10::/28",
        "2001:20::/28",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
        "2620:fe::fe/128",
        "2000::/3",
    ),
    *("fc00::/7", "fe80::/10", "ff00::/8"),
)
"""Ranges of IANA's registries of special addresses, clouds' services, and some public addresses."""


def test_a_referee_reaches_public_addresses_alone(overlay: Rendered) -> None:
    """The same that the referee itself calls public, at the edges of all ranges and beside them."""
    (rule,) = overlay.all("NetworkPolicy")["referee"]["spec"]["egress"]
    blocks = [peer["ipBlock"] for peer in rule["to"]]

    def passes(address: IPAddress) -> bool:
        return any(
            address in ip_network(block["cidr"])
            and not any(address in ip_network(each) for each in block.get("except", ()))
            for block in blocks
        )

    for network in map(ip_network, (*SPECIAL, *(each for block in blocks for each in block["except"]))):
        first, last = int(network[0]), int(network[-1])
        most = (1 << network.max_prefixlen) - 1
        kind = type(network[0])
        for address in (kind(number) for number in (first - 1, first, last, last + 1) if 0 <= number <= most):
            assert (address, passes(address)) == (address, not why_forbidden(address))


def is_within(network: IPv4Network | IPv6Network, other: IPv4Network | IPv6Network) -> bool:
    return network.version == other.version and network.subnet_of(other)  # type: ignore[arg-type] # of one version


def test_a_referee_reaches_nothing_that_is_translated(overlay: Rendered) -> None:
    (rule,) = overlay.all("NetworkPolicy")["referee"]["spec"]["egress"]
    translated = [ip_network(text) for text in ("2002::/16", "64:ff9b::/96", "2001::/32", "::ffff:0:0/96")]
    for block in (peer["ipBlock"] for peer in rule["to"]):
        allowed, left_out = ip_network(block["cidr"]), [ip_network(each) for each in block["except"]]
        for network in (each for each in translated if each.overlaps(allowed)):
            assert any(is_within(network, each) for each in left_out), network


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

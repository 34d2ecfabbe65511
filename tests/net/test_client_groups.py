"""What counts as one client."""

from __future__ import annotations

import pytest

from arena.net.client_groups import ClientNetwork, client_network, client_networks, parse_address


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
    ],
)
def test_client_is_an_ipv4_address_or_a_network_of_ipv6(host: str, network: str) -> None:
    assert client_network(host) == network


@pytest.mark.parametrize("text", ["", "testclient", "203.0.113.7:80", "203.0.113.0/24"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="does not appear to be"):
        parse_address(text)


@pytest.mark.parametrize(
    ("host", "networks"),
    [
        ("203.0.113.7", [("203.0.113.7", 1), ("203.0.113.0/24", 8)]),
        ("::ffff:203.0.113.7", [("203.0.113.7", 1), ("203.0.113.0/24", 8)]),
        (
            "2001:db8:1:23f1::1",
            [("2001:db8:1:23f1::", 1), ("2001:db8:1:2300::/56", 2), ("2001:db8:1::/48", 8)],
        ),
        ("testclient", [("testclient", 1)]),
    ],
)
def test_client_is_counted_in_wider_networks_too(host: str, networks: list[tuple[str, int]]) -> None:
    assert client_networks(host) == tuple(ClientNetwork(*each) for each in networks)
    assert client_networks(networks[0][0]) == client_networks(host)

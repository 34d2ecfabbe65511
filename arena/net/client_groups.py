"""Clients by address: what counts as one client where connections and requests are bounded."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_NETWORK_BITS = 64
"""Bits of one network of IPv6, in which a host may choose any address (RFC 4291)."""
_WIDER_IPV6 = ((56, 2), (48, 8))
"""A customer gets a /56 or a /48 (RFC 6177), so these have little more than a /64: (bits, times the bound of a client)."""
_WIDER_IPV4 = ((24, 8),)
"""The smallest network of IPv4 that is routed by itself; many customers may share one."""


@dataclass(frozen=True, slots=True)
class ClientNetwork:
    """A network of a client, which may use `times` as much as a client."""

    name: str
    times: int


def parse_address(host: str) -> IPv4Address | IPv6Address:
    """Return an IP address without its zone; one of IPv4 written as IPv6 is one of IPv4.  Raises ValueError."""
    address = ip_address(host.partition("%")[0])
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def client_network(host: str) -> str:
    """Return what a client is counted by: an IPv4 address, or the /64 of an IPv6 address.  Raises ValueError."""
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Address(int(address) >> _NETWORK_BITS << _NETWORK_BITS))
    return str(address)


def client_networks(host: str) -> tuple[ClientNetwork, ...]:
    """Return what a client is counted by: itself as `client_network` names it, then wider networks with higher bounds.

    What is no IP address is counted by its name alone.
    """
    try:
        address = parse_address(host)
    except ValueError:
        return (ClientNetwork(host, 1),)
    wider = _WIDER_IPV6 if isinstance(address, IPv6Address) else _WIDER_IPV4
    return (
        ClientNetwork(client_network(host), 1),
        *(ClientNetwork(str(ip_network((address, bits), strict=False)), times) for bits, times in wider),
    )

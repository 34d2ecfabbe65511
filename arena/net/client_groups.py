"""Clients by address: what counts as one client where connections and requests are bounded."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

_NETWORK_BITS = 64
"""What one customer has of IPv6 (RFC 6177), and may choose an address in."""


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

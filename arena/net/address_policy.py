"""Which addresses a stranger may have us dial: public ones, unless the operator allows others.

    address ──looked up once──▶ IP addresses ──all public?──▶ the very ones that are dialled

A name is looked up here and never again on the way, so that it cannot lead elsewhere once it has been checked.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from arena.core.errors import Refusal
from arena.net.address import Address, is_local

IPAddress = IPv4Address | IPv6Address
LookUp = Callable[[str], Sequence[str]]
"""Gives the IP addresses of a host in the order in which to try them.  Raises OSError."""

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
"""Where a network that speaks IPv6 only writes the IPv4 addresses of others (RFC 6052)."""

_SIX_TO_FOUR = IPv6Network("2002::/16")
"""IPv6 through relays that are no longer in operation (RFC 7526)."""

_PROTOCOLS = (IPv4Network("192.0.0.0/24"), IPv6Network("2001::/23"))
"""Addresses of protocols (RFC 6890); versions of Python differ in which of them are global."""

_DOCUMENTATION = IPv6Network("3fff::/20")
"""Addresses for examples (RFC 9637), which older versions of Python call global."""

_METADATA = frozenset(
    map(ip_address, ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"))
)
"""Addresses of clouds' metadata services; the last one, Azure's, is a public address."""

_MAX_TRIED = 4
"""Addresses of one name that are tried: some names have hundreds."""

_REMEDY = "give one that everybody can reach, or have the operator allow others (ARENA_PRIVATE_ENDPOINTS=on)"

# Threads of their own, and many: a name whose server never answers must not hold up the others.
_lookups = ThreadPoolExecutor(max_workers=32, thread_name_prefix="lookup")


class Forbidden(Refusal):
    """Raised when an address is not one that a stranger may have us dial."""

    def __init__(self, message: str) -> None:
        super().__init__("address_forbidden", f"{message}; {_REMEDY}", field="address")


def why_forbidden(address: IPAddress) -> str:
    """Return the kind of an address that users may not have the arena dial; empty for a public one."""
    if isinstance(address, IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in _NAT64:
            inside = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inside is not None and (kind := why_forbidden(inside)):
            return kind
        if address in _NAT64 or address.ipv4_mapped:
            return ""
    kinds = (
        (address in _METADATA, "a cloud's metadata service"),
        (address.is_unspecified, "this machine"),
        (address.is_loopback, "this machine"),
        (address.is_link_local, "link-local"),
        (address.is_multicast, "multicast"),
        (address in _SIX_TO_FOUR, "6to4"),
        (any(address in each for each in _PROTOCOLS) or address in _DOCUMENTATION, "reserved"),
        (address.is_private, "private"),
        (not address.is_global or address.is_reserved, "reserved"),
        (address.version == 6 and address not in _GLOBAL_UNICAST, "reserved"),
    )
    return next((kind for holds, kind in kinds if holds), "")


def check_said(address: Address) -> None:
    """Check what an address says by itself, without looking up its name.  Raises Forbidden."""
    if address.target.startswith("unix:"):
        raise Forbidden(f"address {address.target!r}: is a Unix socket")
    host, _ = _split(address)
    try:
        kind = why_forbidden(ip_address(host))
    except ValueError:
        kind = "this machine" if is_local(address.target) else ""
    if kind:
        raise Forbidden(f"address {address.target!r}: is not public ({kind})")


def look_up(host: str) -> Sequence[str]:
    """Return the IP addresses of a host as the system's resolver knows them.  Raises OSError."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


async def pin(address: Address, *, private: bool, look_up: LookUp = look_up) -> tuple[Address, ...]:
    """Look an address up, once, and give what to dial in its place, one per family of IP, the first to be tried first.

    Its name stays the one that TLS asks for.  Unless `private` addresses are allowed too, all that the name leads to
    must be public.  Raises Forbidden, and OSError for a name that leads nowhere.
    """
    if not private:
        check_said(address)
    if address.target.startswith("unix:"):
        return (address,)
    host, port = _split(address)
    loop = asyncio.get_running_loop()
    found = [ip_address(text) for text in await loop.run_in_executor(_lookups, look_up, host)]
    for each in found:
        if not private and (kind := why_forbidden(each)):
            raise Forbidden(f"address {address.target!r}: leads to one that is not public ({kind})")
    families = dict.fromkeys(each.version for each in found)
    return tuple(
        replace(address, target=_target(version, found, port), authority=address.target)
        for version in families
    )


def _target(version: int, found: Sequence[IPAddress], port: str) -> str:
    """Write addresses of one family as gRPC does; it tries one after the other."""
    hosts = [f"[{each}]" if version == 6 else str(each) for each in found if each.version == version]
    return f"ipv{version}:" + ",".join(f"{host}:{port}" for host in hosts[:_MAX_TRIED])


def _split(address: Address) -> tuple[str, str]:
    host, _, port = address.target.rpartition(":")
    return host.strip("[]"), port

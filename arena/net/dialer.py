"""Dialling: a channel to an address, and in plain words why there is none."""

from __future__ import annotations

import re
import ssl
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import grpc

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from arena.net.address import Address, grpc_target, is_own

_UNTRUSTED = re.compile(r"CERTIFICATE_VERIFY_FAILED: (?P<why>[^:]+)")
_HUNG_UP = re.compile(r"failed to connect.*(Socket closed|reset by peer)")


@cache
def read_roots(file: str) -> bytes | None:
    """Read the root certificates that are trusted: the system's, and those of a file if one is named.

    None means those that come with grpc, if the system has none.  They are read once: a bot that connects
    again must not fail for a file that is gone.  Raises UsageError.
    """
    return (_system_roots() + _own_roots(Path(file)) if file else _system_roots()) or None


def open_channel(
    address: Address, roots: bytes | None, options: Sequence[tuple[str, int | str]]
) -> grpc.aio.Channel:
    """Open a channel to an address: with TLS, or in the clear, as it says."""
    if address.authority:
        options = (*options, ("grpc.default_authority", address.authority))
    options = (*options, *straight(address.target))
    if address.tls:
        return grpc.aio.secure_channel(address.target, grpc.ssl_channel_credentials(roots), options=options)
    return grpc.aio.insecure_channel(grpc_target(address.target), options=options)


def straight(target: str) -> tuple[tuple[str, int], ...]:
    """Return the options of a channel by which a proxy that the environment names is left out where it leads to this machine."""
    return (("grpc.enable_http_proxy", 0),) if is_own(target) else ()


def explain(address: Address, details: str) -> str:
    """Return what to do about a connection that did not come about; what is not about TLS stays as grpc says it."""
    if untrusted := _UNTRUSTED.search(details):
        why = untrusted["why"]
        if "expired" in why or "not yet valid" in why:
            return f"TLS to {address.target}: {why}; its operator must renew it"
        return (
            f"TLS to {address.target}: its certificate is not trusted here ({why});"
            " if it should be, name the root certificates of its issuer in ARENA_CA"
        )
    if "Hostname Verification Check failed" in details:
        return (
            f"TLS to {address.target}: its certificate is for another host; dial it by a name that the certificate has,"
            " or have this one put into it"
        )
    if "WRONG_VERSION_NUMBER" in details:
        return (
            f"TLS to {address.target}: it speaks no TLS; have it show a certificate,"
            f" or dial http://{address.target} if it may be in the clear"
        )
    if _HUNG_UP.search(details) and not address.tls and not address.target.startswith("unix:"):
        return f"{address.target} hung up at once; if it speaks TLS, dial https://{address.target}"
    return details


def _system_roots() -> bytes:
    places = ssl.get_default_verify_paths()
    # Debian has all in one file as well as in single ones, but OpenSSL only knows the folder.
    for place in (places.cafile, places.capath and f"{places.capath}/ca-certificates.crt"):
        if place and Path(place).is_file():
            return Path(place).read_bytes()
    return b""


def _own_roots(file: Path) -> bytes:
    try:
        pem = foreign_text.read(file)
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem)
    except (ssl.SSLError, ValueError, UnreadableText) as error:
        raise UsageError(
            f"root certificates {file}: there are none in it; give a PEM file (ARENA_CA)"
        ) from error
    except OSError as error:
        raise UsageError(
            f"root certificates {file}: {error.strerror}; give a PEM file that can be read (ARENA_CA)"
        ) from error
    return b"\n" + pem.encode()

"""Listening: what is open to other machines speaks TLS, unless that was explicitly turned off."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

import grpc

from arena.core.errors import UsageError
from arena.core.socket_folder import MAX_PATH_BYTES
from arena.net.address import grpc_target, is_local
from arena.net.certificate import Certificate


def listen(
    server: grpc.aio.Server,
    address: str,
    option: str,
    *,
    certificate: Certificate | None,
    tls: bool = True,
    local: bool = False,
) -> str:
    """Have a server listen, and return the address with its port.  `option` names what the address was given with.

    Unix sockets are in the clear, loopback too unless `local` says otherwise, all else only if `tls` is false.  Raises
    UsageError for an address that cannot be had, or needs a certificate.
    """
    if address.startswith("unix:") and len(os.fsencode(address.removeprefix("unix:"))) > MAX_PATH_BYTES:
        raise UsageError(
            f"{option} {address}: the path of a socket may have {MAX_PATH_BYTES} bytes at most; give a shorter one"
        )
    if address.startswith("unix:") and _is_served(Path(address.removeprefix("unix:"))):
        raise UsageError(f"{option} {address}: another program serves this socket; give another path")
    secure = tls and not address.startswith("unix:") and (local or not is_local(address))
    if secure and certificate is None:
        raise UsageError(
            f"{option} {address}: is open to other machines, which needs TLS; give a certificate with --tls-cert and"
            " --tls-key (ARENA_TLS_CERT, ARENA_TLS_KEY), or --plaintext (ARENA_TLS=off) where something in front does TLS"
        )
    try:
        if secure and certificate is not None:
            port = server.add_secure_port(address, certificate.credentials())
        else:
            port = server.add_insecure_port(grpc_target(address))
    except RuntimeError as error:
        raise UsageError(
            f"{option} {address}: cannot listen there; is the port in use? Give a free one"
        ) from error
    return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"


def _is_served(path: Path) -> bool:
    """Return whether a process listens on a Unix socket already: grpc would silently take it over."""
    with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
        probe.connect(str(path))
        return True
    return False

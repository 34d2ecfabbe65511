"""Channels to a referee's control port: over TCP with TLS and a key on both sides, where settings name the files."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache

import grpc

from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.net.address import grpc_target, is_local
from arena.net.dialer import straight
from arena.net.mutual_tls import AUTHORITY, CERTIFICATE, KEY, Mutual, read_mutual
from arena.referee_client.reports import RefereeUnreachable

_log = logging.getLogger(__name__)

OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.use_local_subchannel_pool", 1),
)


def open_channel(address: str) -> grpc.aio.Channel:
    """Open a channel for an event loop.  Raises RefereeUnreachable where the files for TLS cannot be used."""
    credentials = _credentials(address)
    if credentials is None:
        return grpc.aio.insecure_channel(grpc_target(address), options=(*OPTIONS, *straight(address)))
    return grpc.aio.secure_channel(address, credentials, options=(*OPTIONS, *straight(address)))


def open_channel_for_threads(address: str) -> grpc.Channel:
    """Open a channel for threads.  Raises RefereeUnreachable where the files for TLS cannot be used."""
    credentials = _credentials(address)
    if credentials is None:
        return grpc.insecure_channel(grpc_target(address), options=(*OPTIONS, *straight(address)))
    return grpc.secure_channel(address, credentials, options=(*OPTIONS, *straight(address)))


def check_credentials(addresses: Sequence[str]) -> None:
    """See that the files for TLS can be used.  Raises UsageError."""
    for address in addresses:
        mutual = _mutual(address)
        if mutual is not None:
            mutual.client()


def _credentials(address: str) -> grpc.ChannelCredentials | None:
    try:
        mutual = _mutual(address)
        return None if mutual is None else mutual.client()
    except UsageError as error:  # they were right at the start: perhaps they are being renewed
        raise RefereeUnreachable(f"referee {address}: {error}") from error


_ALL = f"{CERTIFICATE}, {KEY} and {AUTHORITY}"
_IN_THE_CLEAR = (("Socket closed", f"if it speaks TLS, set {_ALL}"),)
_WITH_TLS = (
    ("WRONG_VERSION_NUMBER", f"it speaks no TLS: start it with {_ALL}, or leave them out here too"),
    ("CERTIFICATE_VERIFY_FAILED", f"its certificate is not from the authority in {AUTHORITY} here"),
    (
        "Hostname Verification Check failed",
        "its certificate is for another host: ARENA_CONTROL must name it as its certificate does",
    ),
    (
        "Socket closed",
        f"perhaps our certificate ({CERTIFICATE}) is not from the authority in {AUTHORITY} there",
    ),
)


def explain(address: str, details: str) -> str:
    """Return what to do about a connection that TLS may have kept from coming about, empty where it is not about TLS."""
    if address.startswith("unix:"):
        return ""
    remedies = _IN_THE_CLEAR if _mutual(address) is None else _WITH_TLS
    return next((f"; {remedy}" for sign, remedy in remedies if sign in details), "")


def _mutual(address: str) -> Mutual | None:
    """Return what TLS to an address is spoken with, None for none.  Raises UsageError."""
    if address.startswith("unix:"):
        return None
    chosen = settings()
    mutual = read_mutual(chosen.control_tls_cert, chosen.control_tls_key, chosen.control_tls_ca)
    if mutual is None and not is_local(address):
        _warn_once(address)
    return mutual


@cache
def _warn_once(address: str) -> None:
    _log.warning(
        "referee %s is called in the clear: whoever listens on the way can read hidden hands and the shared key; set %s, %s and %s",
        address,
        CERTIFICATE,
        KEY,
        AUTHORITY,
    )

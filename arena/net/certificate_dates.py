"""From when to when certificates hold, read with Python's own ssl."""

from __future__ import annotations

import ssl
from contextlib import suppress

_NO_CHECK_TIME = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL, which Python's ssl does not name."""


def dates_of(server: ssl.SSLContext, chain: bytes) -> tuple[str, str] | None:
    """Read from when to when a certificate holds.

    Python's ssl reads that off the other side's certificate only; so we shake hands with ourselves.
    """
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VerifyFlags(_NO_CHECK_TIME)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        client.load_verify_locations(cadata=chain.decode("ascii", "ignore"))
        asking = client.wrap_bio(to_client, to_server)
        answering = server.wrap_bio(to_server, to_client, server_side=True)
        for side in (asking, answering, asking):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
        found = asking.getpeercert()
    except (ssl.SSLError, ValueError):
        return None
    return (str(found["notBefore"]), str(found["notAfter"])) if found else None


def last_of_roots(pem: bytes) -> float | None:
    """Return when the last of some root certificates expires, in seconds since the epoch; None if there are none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=pem.decode("ascii"))
    ends = [ssl.cert_time_to_seconds(str(root["notAfter"])) for root in context.get_ca_certs()]
    return max(ends, default=None)

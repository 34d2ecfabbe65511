"""TLS with a key on both sides: each shows a certificate, and takes those of one authority only.

It is for the control port, where who is taken for the arena may have anything played; the files are named by settings, the
same three for the referee and for those who call it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import grpc

from arena.core.errors import UsageError
from arena.net.certificate import Certificate, read_pair, read_roots_of

CERTIFICATE, KEY, AUTHORITY = "ARENA_CONTROL_TLS_CERT", "ARENA_CONTROL_TLS_KEY", "ARENA_CONTROL_TLS_CA"


@dataclass(frozen=True, slots=True)
class Mutual:
    """The files of one side: its certificate with its chain, that one's key, and the root certificates of the others."""

    certificate: Path
    key: Path
    authority: Path

    def server(self) -> Certificate:
        """Return what a server's port is opened with.  Raises UsageError."""
        return Certificate(self.certificate, self.key, self.authority)

    def client(self) -> grpc.ChannelCredentials:
        """Return what a channel is opened with, from the files as they are now.  Raises UsageError."""
        chain, key, _ = read_pair(self.certificate, self.key)
        roots = read_roots_of(self.authority)
        return grpc.ssl_channel_credentials(roots, private_key=key, certificate_chain=chain)


def read_mutual(certificate: str, key: str, authority: str) -> Mutual | None:
    """Return the files that were named, None if none was.  Raises UsageError for some of the three."""
    given = {CERTIFICATE: certificate, KEY: key, AUTHORITY: authority}
    missing = [name for name, file in given.items() if not file]
    if len(missing) == len(given):
        return None
    if missing:
        raise UsageError(
            f"{' and '.join(missing)}: must be set too; TLS on the control port needs all of {', '.join(given)}"
        )
    return Mutual(Path(certificate), Path(key), Path(authority))

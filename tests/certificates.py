"""Certificates for tests, from authorities that exist as long as the test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

HOST = "0.0.0.0"  # noqa: S104
"""This machine under an address that does not say so: Linux connects it to loopback, we cannot take it for that."""


@dataclass(frozen=True, slots=True)
class Files:
    """A certificate, its key, and the root certificates that make it trusted."""

    certificate: Path
    key: Path
    ca: Path

    @property
    def options(self) -> tuple[str, ...]:
        return ("--tls-cert", str(self.certificate), "--tls-key", str(self.key))

    def overwrite(self, others: Files) -> None:
        """Renew: the key first, so that there is a moment at which they do not fit."""
        self.key.write_bytes(others.key.read_bytes())
        self.certificate.write_bytes(others.certificate.read_bytes())


def issue(
    folder: Path,
    name: str = "server",
    *,
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", HOST),
    days: int = 30,
) -> Files:
    """Issue a certificate from an authority of its own, for some hosts and days from now on."""
    authority = trustme.CA()
    made = authority.issue_cert(*hosts, not_after=datetime.now(UTC) + timedelta(days=days))
    files = Files(folder / f"{name}.pem", folder / f"{name}.key", folder / f"{name}-ca.pem")
    files.certificate.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    made.private_key_pem.write_to_path(str(files.key))
    authority.cert_pem.write_to_path(str(files.ca))
    return files

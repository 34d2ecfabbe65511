"""The checks that need neither the store nor Redis, so that a referee makes them too: the environment, and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from arena.net import mutual_tls
from arena.operations.start_checks import certificate_check, environment_check
from arena.operations.start_checks.certificate_check import CertificateFile

if TYPE_CHECKING:
    from arena.core.settings import Settings


def warn_of_files(names: Iterable[str], files: Iterable[CertificateFile], now: float) -> Iterator[str]:
    """Yield the warnings of the names of variables, and of certificates."""
    yield from environment_check.check_names(names)
    yield from certificate_check.check_expiries(certificate_check.gather(files), now)


def control_files(settings: Settings) -> tuple[CertificateFile, ...]:
    """Return the certificates of a web's or a worker's side of the control port."""
    return files_of_control(settings.control_tls_cert, settings.control_tls_key, settings.control_tls_ca)


def files_of_control(certificate: str, key: str, authority: str) -> tuple[CertificateFile, ...]:
    """Return the certificates of one side of the control port, none if it has no TLS."""
    return (
        *((CertificateFile(mutual_tls.CERTIFICATE, certificate, key),) if certificate and key else ()),
        *((CertificateFile(mutual_tls.AUTHORITY, authority),) if authority else ()),
    )

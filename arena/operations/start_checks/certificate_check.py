"""Certificates that have expired, or will within a week."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import UsageError
from arena.core.translatable import mark, say
from arena.net.certificate import read_pair, read_roots_of
from arena.net.certificate_dates import dates_of, last_of_roots

SOON_S = 7 * 86_400

EXPIRES = mark("{setting} {file}: expires on {date}; renew the file, no restart is needed")
EXPIRED = mark(
    "{setting} {file}: expired on {date}, so connections are refused; renew the file, no restart is needed"
)


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """A file of certificates and the setting that names it; `key` is the file of its key, None for root certificates."""

    setting: str
    file: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Expiry:
    """Expiry of a file's certificates, in seconds since the epoch."""

    of: CertificateFile
    at: float


def gather(files: Iterable[CertificateFile]) -> tuple[Expiry, ...]:
    """Read when the certificates in some files expire; what cannot be read is left to those who use it."""
    found = []
    for each in files:
        try:
            at = _read_end(each)
        except UsageError:
            continue
        if at is not None:
            found.append(Expiry(each, at))
    return tuple(found)


def check_expiries(found: Iterable[Expiry], now: float) -> Iterator[str]:
    """Yield a warning for each that expires within a week of now, or has."""
    for each in found:
        if each.at - now > SOON_S:
            continue
        date = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(each.at))
        message = EXPIRED if each.at <= now else EXPIRES
        yield say(message, setting=each.of.setting, file=each.of.file, date=date)


def _read_end(each: CertificateFile) -> float | None:
    """Return when a file's certificate, or the last of its root certificates, expires.  Raises UsageError."""
    if each.key is None:
        return last_of_roots(read_roots_of(Path(each.file)))
    chain, _, server = read_pair(Path(each.file), Path(each.key))
    dates = dates_of(server, chain)
    return None if dates is None else float(ssl.cert_time_to_seconds(dates[1]))

"""The certificate that a server shows: read from two files, and again once they have changed."""

from __future__ import annotations

import logging
import os
import ssl
import time
from codecs import BOM_UTF8
from pathlib import Path

import grpc

from arena.core.errors import UsageError
from arena.core.foreign_text import marked_encoding
from arena.net.certificate_dates import dates_of

_log = logging.getLogger(__name__)

_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"


class Certificate:
    """A certificate with its chain, and its key.  A renewed one is shown from the next handshake on."""

    def __init__(self, chain: Path, key: Path, clients: Path | None = None) -> None:
        """Read the files.  Raises UsageError if they cannot be used.

        `clients` has the root certificates of those who may connect: then all other clients are rejected.
        """
        self._chain = chain
        self._key = key
        self._clients = clients
        self._stamp = self._look()
        self._shown = self._read()
        self._trouble = ""

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a server's port is opened with."""
        # None, which means `as before`, is missing in the stubs.
        return grpc.dynamic_ssl_server_credentials(
            self._shown,
            self._renewed,  # type: ignore[arg-type]
            require_client_authentication=self._clients is not None,
        )

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """Return the certificate if it is another than before: grpc asks at each handshake, in a thread of its own."""
        try:
            stamp = self._look()
            if stamp == self._stamp:
                return None
            renewed = self._read()
            if self._look() != stamp:  # it is being written right now: the next handshake sees the rest
                return None
        except UsageError as error:
            # Two files are seldom renewed in the same moment: the next handshake may find them to fit.
            if str(error) != self._trouble:
                self._trouble = str(error)
                _log.warning("%s; the certificate from before stays in use", error)
            return None
        self._stamp, self._shown, self._trouble = stamp, renewed, ""
        _log.info("a renewed certificate is in use: %s", self._chain)
        return renewed

    def _look(self) -> tuple[tuple[int, int, int], ...]:
        """Return what changes when a file is written or replaced.  Raises UsageError."""
        stats = [_stat(self._chain, "certificate"), _stat(self._key, "key")]
        if self._clients is not None:
            stats.append(_stat(self._clients, "root certificates"))
        return tuple((stat.st_ino, stat.st_mtime_ns, stat.st_size) for stat in stats)

    def _read(self) -> grpc.ServerCertificateConfiguration:
        chain, key, context = read_pair(self._chain, self._key)
        self._warn_of_its_dates(context, chain)
        roots = None if self._clients is None else read_roots_of(self._clients)
        return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=roots)

    def _warn_of_its_dates(self, server: ssl.SSLContext, chain: bytes) -> None:
        """Log a warning if it is not valid today: clients will reject it, but matches without TLS can go on."""
        dates = dates_of(server, chain)
        if dates is None:
            return
        not_before, not_after = dates
        if not ssl.cert_time_to_seconds(not_before) <= time.time() <= ssl.cert_time_to_seconds(not_after):
            _log.warning(
                "certificate %s: holds from %s to %s only, so others refuse it; renew the file, no restart is needed",
                self._chain,
                not_before,
                not_after,
            )


def read_pair(chain: Path, key: Path) -> tuple[bytes, bytes, ssl.SSLContext]:
    """Read a certificate with its chain, and its key, and see that they fit.  Raises UsageError."""
    chain_pem = _read_pem(chain, "certificate", _CERTIFICATE)
    key_pem = _read_pem(key, "key", b"PRIVATE KEY-----")
    if b"ENCRYPTED" in key_pem:
        raise UsageError(f"key {key}: is encrypted; give it without a passphrase")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(chain, key, password="")  # a passphrase is not asked for
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise UsageError(
                f"key {key}: does not belong to the certificate {chain}; give the one it was issued for"
            ) from error
        raise UsageError(
            f"certificate {chain}, key {key}: cannot be used ({error}); give both as PEM files"
        ) from error
    except OSError as error:
        raise UsageError(f"certificate {chain}, key {key}: {error.strerror}") from error
    return chain_pem, key_pem, context


def read_roots_of(file: Path) -> bytes:
    """Read the root certificates by which the other side is known.  Raises UsageError."""
    pem = _read_pem(file, "root certificates", _CERTIFICATE)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        raise UsageError(
            f"root certificates {file}: cannot be used ({error}); give them as a PEM file"
        ) from error
    return pem


def read_certificate(chain: str, key: str, *, tls: bool) -> Certificate | None:
    """Read the certificate that was named, if any.  Raises UsageError if it cannot be used, or is not to be."""
    if not chain and not key:
        return None
    if not tls:
        raise UsageError(
            f"certificate {chain or key}: TLS is off; leave out --plaintext (ARENA_TLS=off), or the certificate"
        )
    if not chain or not key:
        missing = "--tls-key (ARENA_TLS_KEY)" if chain else "--tls-cert (ARENA_TLS_CERT)"
        raise UsageError(f"certificate {chain or key}: half of it is missing; give {missing} too")
    return Certificate(Path(chain), Path(key))


def _stat(path: Path, what: str) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise UsageError(f"{what} {path}: {error.strerror}; give a PEM file that can be read") from error


def _read_pem(path: Path, what: str, mark: bytes) -> bytes:
    try:
        pem = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{what} {path}: {error.strerror}; give a PEM file that can be read") from error
    if (encoding := marked_encoding(pem)) not in {None, "UTF-8-SIG"}:
        raise UsageError(f"{what} {path}: is text in {encoding}; save it as ASCII or UTF-8")
    pem = pem.removeprefix(BOM_UTF8)
    if mark not in pem:
        raise UsageError(f"{what} {path}: there is no {what} in it; give a PEM file")
    return pem

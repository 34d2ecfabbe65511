"""Which files can be shown, and what is said of those that cannot."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from arena.core.errors import UsageError
from arena.net.certificate import Certificate, read_certificate
from arena.net.dialer import read_roots
from tests.certificates import issue


def refusal(certificate: Path, key: Path) -> str:
    with pytest.raises(UsageError) as error:
        Certificate(certificate, key)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    files = issue(tmp_path)
    files.certificate.unlink()
    assert (
        refusal(files.certificate, files.key)
        == f"certificate {files.certificate}: No such file or directory; give a PEM file that can be read"
    )


def test_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    files = issue(tmp_path)
    files.key.unlink()
    assert refusal(files.certificate, files.key).startswith(f"key {files.key}: No such file or directory; ")


def test_folder_is_no_certificate(tmp_path: Path) -> None:
    assert "Is a directory; give a PEM file" in refusal(tmp_path, issue(tmp_path).key)


def test_key_in_place_of_the_certificate_is_noticed(tmp_path: Path) -> None:
    files = issue(tmp_path)
    assert refusal(files.key, files.key) == (
        f"certificate {files.key}: there is no certificate in it; give a PEM file"
    )


def test_garbage_between_the_marks_is_noticed(tmp_path: Path) -> None:
    files = issue(tmp_path)
    files.certificate.write_text("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n")
    assert "cannot be used" in refusal(files.certificate, files.key)


def test_key_of_another_certificate_is_noticed(tmp_path: Path) -> None:
    files, others = issue(tmp_path), issue(tmp_path, "other")
    assert refusal(files.certificate, others.key) == (
        f"key {others.key}: does not belong to the certificate {files.certificate}; give the one it was issued for"
    )


def test_encrypted_key_is_refused_and_its_passphrase_not_asked_for(tmp_path: Path) -> None:
    files = issue(tmp_path)
    key = load_pem_private_key(files.key.read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"sesame"))
    files.key.write_bytes(locked)
    assert refusal(files.certificate, files.key) == (
        f"key {files.key}: is encrypted; give it without a passphrase"
    )


def test_certificate_that_is_not_valid_now_is_shown_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = issue(tmp_path, days=-1)
    Certificate(files.certificate, files.key)
    assert "others refuse it; renew the file" in caplog.text


def test_certificate_that_is_valid_now_needs_no_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = issue(tmp_path)
    with caplog.at_level(logging.DEBUG):
        Certificate(files.certificate, files.key)
    assert caplog.text == ""


def test_half_a_certificate_says_which_half_is_missing() -> None:
    with pytest.raises(UsageError, match=r"half of it is missing; give --tls-key \(ARENA_TLS_KEY\) too"):
        read_certificate("server.pem", "", tls=True)
    with pytest.raises(UsageError, match=r"half of it is missing; give --tls-cert \(ARENA_TLS_CERT\) too"):
        read_certificate("", "server.key", tls=True)


def test_certificate_without_tls_is_a_contradiction() -> None:
    with pytest.raises(UsageError, match="TLS is off; leave out --plaintext"):
        read_certificate("server.pem", "server.key", tls=False)


def test_own_root_certificates_are_trusted_beside_the_systems(tmp_path: Path) -> None:
    files = issue(tmp_path)
    assert read_roots(str(files.ca)) == (read_roots("") or b"") + b"\n" + files.ca.read_bytes()


def test_file_without_root_certificates_is_refused(tmp_path: Path) -> None:
    files = issue(tmp_path)
    with pytest.raises(UsageError, match=r"there are none in it; give a PEM file \(ARENA_CA\)"):
        read_roots(str(files.key))
    with pytest.raises(UsageError, match="No such file or directory"):
        read_roots(str(tmp_path / "nowhere.pem"))

"""The platform's secret: others' machines are served only with one that the operator has set."""

from __future__ import annotations

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.core.errors import UsageError
from arena.core.settings import read
from arena.web.auth.session_secret import SecretMissing, find
from tests.parts.arena_process import ARENA, clean_environment, free_port

LONG = "x" * 32
EVERYWHERE = "0.0.0.0"  # noqa: S104 - it is refused


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.0.2.1", "arena.example.org", ""])
def test_address_that_others_reach_needs_a_secret(host: str, tmp_path: Path) -> None:
    with pytest.raises(SecretMissing, match="ARENA_SECRET must be set"):
        find(read(data=tmp_path), host)
    assert find(read(data=tmp_path, secret=LONG), host) == LONG.encode()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_on_loopback_the_secret_is_made_once_and_kept(host: str, tmp_path: Path) -> None:
    made = find(read(data=tmp_path), host)
    assert len(made) == 64
    assert find(read(data=tmp_path), host) == made
    assert [(file.name, stat.S_IMODE(file.stat().st_mode)) for file in tmp_path.iterdir()] == [
        ("secret", 0o600)
    ]


def test_all_that_start_at_once_have_the_same_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: find(read(data=tmp_path), "::1"), range(8)))
    assert len(set(found)) == 1


def test_secret_that_can_be_guessed_is_refused_and_not_shown(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ARENA_SECRET of 6 characters: must have at least 32") as caught:
        read(data=tmp_path, secret="sesame")
    assert "sesame" not in str(caught.value)
    assert LONG not in repr(read(data=tmp_path, secret=LONG))


def test_registration_that_is_none_of_the_three_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ARENA_REGISTRATION 'maybe'"):
        read(data=tmp_path, registration="maybe")


@pytest.mark.parametrize("command", [(sys.executable, "-m", "arena.web"), (ARENA, "serve", "web")])
def test_web_refuses_to_start_on_all_addresses_without_one(command: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [*command, "--host", EVERYWHERE, "--port", str(free_port())],
        env={**clean_environment(), "ARENA_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(
        "arena.web: address 0.0.0.0: others can reach it, so ARENA_SECRET must be set"
    )
    assert done.stderr.count("\n") == 1

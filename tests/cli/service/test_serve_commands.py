"""`arena serve referee`: where it is open to other machines, and how."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.certificates import issue
from tests.parts.arena_process import ARENA, clean_environment

START_S = 40.0


USUAL = {
    "ARENA_LOG_LEVEL": "WARNING",
    "ARENA_SANDBOX": "off",  # measuring it is half of the work with which a referee starts
}


@contextmanager
def serving(data: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    program = subprocess.Popen(
        [ARENA, "serve", "referee", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**clean_environment(), "ARENA_DATA": str(data), **USUAL, **environment},
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def said_by(program: subprocess.Popen[str]) -> tuple[int, str]:
    _, stderr = program.communicate(timeout=START_S)
    return program.returncode, stderr


def is_ready(program: subprocess.Popen[str]) -> bool:
    assert program.stdout is not None
    return program.stdout.readline() == "ready\n"


def test_referee_that_is_open_to_others_needs_a_certificate(tmp_path: Path) -> None:
    with serving(tmp_path, "--bots", "0.0.0.0:0") as program:
        code, said = said_by(program)
    assert code == 1
    assert said.startswith("referee: --bots 0.0.0.0:0: is open to other machines, which needs TLS; ")
    assert said.count("\n") == 1


def test_certificate_is_named_by_options_or_settings(tmp_path: Path) -> None:
    files = issue(tmp_path)
    settings = {"ARENA_TLS_CERT": str(files.certificate), "ARENA_TLS_KEY": str(files.key)}
    with serving(tmp_path, "--bots", "0.0.0.0:0", *files.options) as program:
        assert is_ready(program)
    with serving(tmp_path, "--bots", "0.0.0.0:0", **settings) as program:
        assert is_ready(program)


def test_tls_is_turned_off_by_option_or_setting(tmp_path: Path) -> None:
    with serving(tmp_path, "--bots", "0.0.0.0:0", "--plaintext") as program:
        assert is_ready(program)
    with serving(tmp_path, "--bots", "0.0.0.0:0", ARENA_TLS="off") as program:
        assert is_ready(program)


def test_setting_that_is_neither_on_nor_off_is_one_line(tmp_path: Path) -> None:
    with serving(tmp_path, ARENA_TLS="no") as program:
        assert said_by(program) == (2, "arena: ARENA_TLS 'no': must be on or off\n")


def test_root_certificates_of_the_settings_reach_the_referee(tmp_path: Path) -> None:
    with serving(tmp_path, ARENA_CA="nowhere.pem") as program:
        code, said = said_by(program)
    assert (code, said.split(";")[0]) == (
        1,
        "referee: root certificates nowhere.pem: No such file or directory",
    )

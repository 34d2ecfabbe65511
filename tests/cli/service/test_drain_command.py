"""`arena drain`: by hand, over the control port."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.referee_client import local_referee
from tests.cli.running import run


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    with local_referee(allow_files=False) as address:
        yield address


def test_referee_drains_until_it_is_let_go_on(control: str) -> None:
    done = run("drain", control)
    assert (done.code, done.error) == (0, "")
    assert "has drained: no match runs" in done.out
    done = run("drain", control, "--resume")
    assert (done.code, done.out) == (0, f"Referee {control} takes matches again.\n")


def test_name_that_the_admin_page_shows_is_taken(control: str) -> None:
    done = run("drain", f"{control}@{socket.gethostname()}", "--limit", "5", "--json")
    assert json.loads(done.out) == {"referee": control, "draining": True, "matches": 0}
    run("drain", control, "--resume")


def test_referee_of_another_machine_that_is_not_reached_from_here_is_refused() -> None:
    done = run("drain", "unix:/run/arena/control.sock@play7")
    assert done.code == 2
    assert "is reached from play7 only" in done.error


def test_what_is_no_address_is_refused_with_those_that_are_set() -> None:
    done = run("drain", "play1", ARENA_CONTROL="play1:7001,play2:7001")
    assert done.code == 2
    assert "'play1': must be host:port or unix:/path" in done.error
    assert "play1:7001, play2:7001" in done.error


def test_referee_that_is_not_there_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = run("drain", f"unix:{tmp_path / 'nobody'}")
    assert done.code == 1
    assert done.error.startswith(f"arena: referee unix:{tmp_path / 'nobody'}: ")

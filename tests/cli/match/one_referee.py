"""One referee for the commands of tests that play at home, where each command would start one of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from arena.cli.bot import check_command, ci_command
from arena.cli.match import home_referee
from arena.referee_client import local_referee
from tests.parts.arena_process import children, command_line

USUAL = {"ca": ""}
"""With what commands start their referee unless they are told otherwise, with sandboxes or without."""
NOT_A_REFEREES = {"ARENA_BOT_SECRET", "PYTEST_CURRENT_TEST"}
"""The secret of a bot that listens is for the command, which puts it into its orders."""


class OneReferee:
    """A referee that is started for the first command, and not for those that want another or set its environment."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._environment = environment()
        self._addresses: dict[str, str] = {}
        """By whether the referee has sandboxes."""
        self.is_shared = True

    @contextmanager
    def start(self, **options: Any) -> Iterator[str]:
        given = {name: value for name, value in options.items() if value is not None}
        sandbox = given.pop("sandbox", "off")
        if not self.is_shared or {**USUAL, **given} != USUAL or environment() != self._environment:
            with local_referee(**options) as address:
                yield address
            return
        if sandbox not in self._addresses:
            self._addresses[sandbox] = self._stack.enter_context(local_referee(**options))
        yield self._addresses[sandbox]

    def end_bots(self) -> None:
        """End the processes of authors' bots, which it would keep while there is memory; house bots come from a fork server."""
        for address in self._addresses.values():
            (referee,) = (pid for pid in children(os.getpid()) if address in command_line(pid).split())
            for pid in children(referee):
                if "fork_server.py" not in command_line(pid):
                    os.kill(pid, signal.SIGKILL)


def environment() -> dict[str, str]:
    """What a referee and its bots are given: this process's environment, less what is not for them."""
    return {name: value for name, value in os.environ.items() if name not in NOT_A_REFEREES}


@pytest.fixture(scope="session")
def kept_referee() -> Iterator[OneReferee]:
    with ExitStack() as stack:
        yield OneReferee(stack)


@pytest.fixture(scope="module", autouse=True)
def one_referee(kept_referee: OneReferee) -> Iterator[OneReferee]:
    """Play what is played at home by one referee; the bots end with the module that has written them.

    That a command starts and ends its own is tested where it runs as a program, in tests/cli/match/test_match_command.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (check_command, ci_command, home_referee):
            patch.setattr(module, "local_referee", kept_referee.start)
        yield kept_referee
    kept_referee.end_bots()


@pytest.fixture
def own_referee(one_referee: OneReferee) -> Iterator[None]:
    """Have each command of this test start its own referee, and so its bots anew."""
    one_referee.is_shared = False
    yield
    one_referee.is_shared = True

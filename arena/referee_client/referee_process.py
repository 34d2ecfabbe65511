"""A referee of one's own, for matches at home and for tests."""

from __future__ import annotations

import select
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.core import child_process
from arena.core.errors import UsageError
from arena.core.socket_folder import socket_folder
from arena.referee_client.reports import RefereeUnreachable

_START_S = 30.0
_STOP_S = 5.0


@contextmanager
def local_referee(
    *,
    allow_files: bool = True,
    slots: int | None = None,
    log_level: str = "WARNING",
    ca: str = "",
    sandbox: str = "off",
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Start a referee on Unix sockets in a directory of its own; gives the address of its control port.

    `ca` names a file of root certificates for endpoints; `sandbox` is `off`, `auto` or `on`, as of the referee's option;
    `environment` is set for it, and outside of sandboxes for its bots.  Everything that it started is gone when the context ends.  Raises RefereeUnreachable if it does not start, UsageError on Windows.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise UsageError(
            "referee: needs Unix sockets, which Python has on Linux and macOS only; on Windows play in WSL, or `arena selfplay`"
        )
    with socket_folder() as directory:
        control = f"unix:{Path(directory, 'control')}"
        arguments = [*child_process.module("referee", "--control", control)]
        arguments += ["--bots", f"unix:{Path(directory, 'bots')}", "--log-level", log_level]
        arguments += ["--sandbox", sandbox, "--bundles", str(Path(directory, "bundles"))]
        arguments += ["--private-endpoints"]  # one's own bots listen on one's own machine
        arguments += ["--allow-files"] if allow_files else []
        arguments += [] if slots is None else ["--slots", str(slots)]
        arguments += ["--ca", ca] if ca else []
        referee = child_process.start(
            arguments, environment=environment or {}, stdout=subprocess.PIPE, private=False
        )
        try:
            _await_ready(referee)
            yield control
        finally:
            child_process.stop(referee, grace_s=_STOP_S)
            if referee.stdout is not None:
                referee.stdout.close()


def _await_ready(referee: subprocess.Popen[bytes]) -> None:
    assert referee.stdout is not None  # noqa: S101 - it was started with a pipe
    deadline = time.monotonic() + _START_S
    line = b""
    while not line.endswith(b"\n"):
        readable, _, _ = select.select([referee.stdout], [], [], max(0.0, deadline - time.monotonic()))
        read = referee.stdout.read1(1) if readable else b""  # type: ignore[attr-defined]
        if not read:
            reason = "it ended" if readable else f"no word from it within {_START_S:g} s"
            raise RefereeUnreachable(f"the local referee did not start: {reason}; its log is above")
        line += read

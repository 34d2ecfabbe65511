"""Explanations of errors that a bot meets only in the arena's sandbox: `Errno 97` is the missing network."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.core.translatable import Wording, say

if TYPE_CHECKING:
    from arena.core.settings import Settings

MEMORY_MIB = 512
PROCESSES = 32
TMP_MIB = 16
TMP_FILES = 1024
OPEN_FILES = 64


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """The limits of one hosted bot that an operator can change."""

    memory_mib: int = MEMORY_MIB
    processes: int = PROCESSES
    tmp_mib: int = TMP_MIB
    packages: frozenset[str] | None = None
    """Normal names of the packages that a bot may require; None where they are not known."""

    @classmethod
    def of(cls, settings: Settings, packages: frozenset[str] | None = None) -> SandboxLimits:
        """Read them from the settings; `packages` are those that are installed."""
        return cls(settings.bot_memory_mib, settings.bot_processes, settings.bot_tmp_mib, packages)


STANDARD = SandboxLimits()


def explain(printed: str, limits: SandboxLimits = STANDARD) -> Wording | None:
    """Return in words which limit of the sandbox a bot met last, judging by what it printed and how it ended; None if by none."""
    found = [
        (match.end(), sentence, match.groupdict().get("module"))
        for pattern, sentence in _SENTENCES
        for match in [*re.finditer(pattern, printed)][-1:]
    ]
    if not found:
        return None
    _, sentence, module = max(found, key=lambda each: each[0])
    return sentence(limits) if module is None or limits.packages is None else _module(module, limits.packages)


def _network(_limits: SandboxLimits) -> Wording:
    return say(
        "there is no network in the sandbox; bring what the bot needs as files next to it, or run it on your machine and have it connect (docs/bots.md)"
    )


def _threads(limits: SandboxLimits) -> Wording:
    return say(
        "a sandbox has at most {most} processes and threads, about ten of which the connection to the arena takes; start fewer",
        most=limits.processes,
    )


def _memory(limits: SandboxLimits) -> Wording:
    return say(
        "a sandbox has at most {most} MiB of memory for all of the bot's processes together; use less",
        most=limits.memory_mib,
    )


def _descriptors(_limits: SandboxLimits) -> Wording:
    return say("in the sandbox a process may have at most {most} files open; close some", most=OPEN_FILES)


def _read_only(_limits: SandboxLimits) -> Wording:
    return say("the sandbox can be written in /tmp only: the bot's own files are read-only")


def _space(limits: SandboxLimits) -> Wording:
    return say(
        "the sandbox's /tmp has room for {most} MiB in {files} files; write less",
        most=limits.tmp_mib,
        files=TMP_FILES,
    )


def _files(_limits: SandboxLimits) -> Wording:
    return say(
        "the sandbox has the bot's own files (in /bot), its language and the packages that bot.toml requires: no other files or programs, no /proc, no /dev/shm"
    )


def _packages(_limits: SandboxLimits) -> Wording:
    return say(
        "the sandbox has the SDK and the packages that bot.toml names under `requires`, as far as the arena offers them: name it there, or put its files next to the bot"
    )


def _module(module: str, packages: frozenset[str]) -> Wording:
    """Say why a module of Python is missing, given the packages that a bot may require."""
    if module in packages:
        return say("No module named '{module}'. Name it under `requires` in bot.toml.", module=module)
    if not packages:
        return say("No module named '{module}'. Only the SDK is available.", module=module)
    *others, last = ["the SDK", *sorted(packages)]
    return say(
        "No module named '{module}'. Only {packages} and {last} are available.",
        module=module,
        packages=", ".join(others),
        last=last,
    )


def _call(_limits: SandboxLimits) -> Wording:
    return say(
        "the sandbox refuses this system call; docs/sandbox.md lists what a bot cannot do there, docs/bots.md what to do instead"
    )


def _input(_limits: SandboxLimits) -> Wording:
    return say("the sandbox has no terminal: there is nothing to read from the standard input")


def _processor(_limits: SandboxLimits) -> Wording:
    return say("a process in the sandbox has used up its processor time")


_SENTENCES: tuple[tuple[str, Callable[[SandboxLimits], Wording]], ...] = (
    # Each pattern has what C's strerror says, as Python, Go, Rust and C programs print it, and Node's name of the error.
    (
        r"Address family not supported|EAFNOSUPPORT|EAI_AGAIN|name resolution|Name or service not known|Network is unreachable|ENETUNREACH",
        _network,
    ),
    (
        r"can't start new thread|Resource temporarily unavailable|EAGAIN|failed to create new OS thread|pthread_create|ERR_WORKER_INIT_FAILED",
        _threads,
    ),
    (
        r"MemoryError|Cannot allocate memory|ENOMEM|Unable to allocate|heap out of memory|bad_alloc|runtime: out of memory|memory allocation of|MiB of memory",
        _memory,
    ),
    (r"Too many open files|EMFILE", _descriptors),
    (r"Read-only file system|EROFS", _read_only),
    (r"File too large|EFBIG|No space left on device|ENOSPC|SIGXFSZ", _space),
    (r"No module named '(?P<module>\w+)|No module named|ERR_MODULE_NOT_FOUND|Cannot find module", _packages),
    (r"No such file or directory|ENOENT", _files),
    (r"Operation not permitted|EPERM|Function not implemented|ENOSYS|SIGSYS", _call),
    (r"EOF when reading a line", _input),
    (r"SIGXCPU", _processor),
)

"""Explanations of errors that a bot meets only in the arena's sandbox."""

from __future__ import annotations

import pytest

from arena.bundle_format.sandbox_errors import SandboxLimits, explain
from arena.core.settings import Settings

MISSING = "ModuleNotFoundError: No module named 'nosuch'"


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("OSError: [Errno 97] Address family not supported by protocol", "no network"),
        ("Error: getaddrinfo EAI_AGAIN example.org", "no network"),
        ("RuntimeError: can't start new thread", "at most 32 processes"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", "at most 512 MiB of memory"),
        ("OSError: [Errno 24] Too many open files: '/bot/x'", "at most 64 files open"),
        ("OSError: [Errno 30] Read-only file system: '/bot/x'", "can be written in /tmp only"),
        ("OSError: [Errno 28] No space left on device", "16 MiB in 1024 files"),
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad'", "packages that bot.toml names"),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/bin/ls'", "no other files or programs"),
        ("PermissionError: [Errno 1] Operation not permitted", "refuses this system call"),
        ("EOFError: EOF when reading a line", "no terminal"),
        ("signal 24 (SIGXCPU)", "processor time"),
    ],
)
def test_each_limit_is_named_by_what_a_program_prints(printed: str, words: str) -> None:
    assert words in str(explain(printed))


def test_the_limit_that_was_met_last_counts() -> None:
    assert "no terminal" in str(explain("can't start new thread\nEOFError: EOF when reading a line"))


def test_an_error_of_the_bots_own_is_not_explained() -> None:
    assert explain("ValueError: no idea what to do now") is None


@pytest.mark.parametrize(
    ("packages", "words"),
    [
        (None, "the packages that bot.toml names"),
        ((), "No module named 'nosuch'. Only the SDK is available."),
        (("numpy",), "No module named 'nosuch'. Only the SDK and numpy are available."),
        (("onnxruntime", "numpy"), "Only the SDK, numpy and onnxruntime are available."),
        (("nosuch",), "No module named 'nosuch'. Name it under `requires` in bot.toml."),
    ],
)
def test_a_missing_module_is_named_with_what_is_available(
    packages: tuple[str, ...] | None, words: str
) -> None:
    limits = SandboxLimits(packages=None if packages is None else frozenset(packages))
    assert words in str(explain(MISSING, limits))


def test_limits_are_those_of_the_operator() -> None:
    limits = SandboxLimits.of(Settings(bot_memory_mib=300, bot_processes=20, bot_tmp_mib=4))
    assert "at most 300 MiB" in str(explain("MemoryError", limits))
    assert "at most 20 processes" in str(explain("can't start new thread", limits))
    assert "room for 4 MiB" in str(explain("No space left on device", limits))

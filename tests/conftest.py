"""What all tests share: in CI nothing may be left out, so a skip there is a failure."""

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from arena.accounts import passwords
from arena.core import compiled_modules

pytest_plugins = ["tests.stores"]

# In CI the examples are the same each time, so that a change is judged by itself, and twenty-five do; at home new ones are tried.
# No example has a deadline: the machine may be busy.  `make test-fast` takes few examples of each property.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("fast", deadline=None, derandomize=True, max_examples=10)
settings.load_profile("ci" if os.environ.get("CI") else "home")

# What a shell starts in the background ignores SIGINT, and hands that down to all that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


TESTS = Path(__file__).parent
FAST_FOLDERS = frozenset({"bundle_format", "core", "games", "match", "net", "ratings", "scheduling"})
"""The tests of what is pure: no process, no database, no network."""
SYSTEM_FOLDERS = frozenset({"deploy", "hostile", "recovery", "supervisor", "workers"})
"""The tests that start parts of an arena, as processes of their own."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their folder: what is pure as `fast`, what starts parts of an arena, or a browser, as `system`.

    Those marked `plain` are for `make coverage-fast`, where no module runs compiled.
    """
    if compiled_modules.are_in_use():
        plain = [item for item in items if item.get_closest_marker("plain") is not None]
        config.hook.pytest_deselected(items=plain)
        items[:] = [item for item in items if item not in plain]
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in FAST_FOLDERS and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.fast)
        elif folder in SYSTEM_FOLDERS or item.get_closest_marker("browser") is not None:
            item.add_marker(pytest.mark.system)


def pytest_collection_finish() -> None:
    """Leave the collected tests, some 100 MB that stay, out of what the garbage collector goes through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


REAL_HASHER, REAL_NOBODYS = passwords.HASHER, passwords.NOBODYS
QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
QUICK_NOBODYS = QUICK_HASHER.hash(os.urandom(32))


@pytest.fixture(autouse=True, scope="session")
def quick_passwords() -> Iterator[None]:
    """Hash passwords with the least work that argon2 knows, in this process: the tests make some hundreds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASHER", QUICK_HASHER)
        patch.setattr(passwords, "NOBODYS", QUICK_NOBODYS)
        yield


@pytest.fixture
def real_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords as the arena does."""
    monkeypatch.setattr(passwords, "HASHER", REAL_HASHER)
    monkeypatch.setattr(passwords, "NOBODYS", REAL_NOBODYS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"left out, which is not allowed in CI: {reason}"
    return report

"""What all tests share: in CI nothing may be left out, so a skip there is a failure."""

import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import settings

# In CI the examples are the same each time, so that a change is judged by itself; at home new ones are tried.
# No example has a deadline: the machine may be busy.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

# What a shell starts in the background ignores SIGINT, and hands that down to all that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


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

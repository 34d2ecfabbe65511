"""The release command: what it refuses, and what becomes of the changelog."""

from __future__ import annotations

import datetime as dt
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_command", ROOT / "deploy" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = load()
DAY = dt.date(2026, 12, 24)


@pytest.mark.parametrize("version", ["0.2.0", "0.1.9", "next"])
def test_version_that_cannot_follow_is_refused(version: str) -> None:
    with pytest.raises(release.ReleaseError, match=f"VERSION '{version}': must be"):
        release.next_version(version, "0.2.0")


def test_unreleased_entries_become_those_of_the_version() -> None:
    text = (
        "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing\n\n## [0.2.0] - 2026-11-25\n\n- Another\n"
    )
    assert release.released(text, "0.3.0", DAY) == (
        "# Changelog\n\n## [Unreleased]\n\n## [0.3.0] - 2026-12-24\n\n### Added\n\n- A thing\n\n"
        "## [0.2.0] - 2026-11-25\n\n- Another\n"
    )


def test_release_without_entries_is_refused() -> None:
    with pytest.raises(release.ReleaseError, match="has no entries"):
        release.released(
            "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-25\n\n- Another\n", "0.3.0", DAY
        )


def test_files_that_name_the_release_are_known() -> None:
    current = release.current_version((ROOT / "pyproject.toml").read_text())
    for name in release.NAMED:
        assert current in (ROOT / name).read_text(), name

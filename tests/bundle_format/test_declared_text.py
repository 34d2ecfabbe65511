"""The text of a declared version."""

import pytest

from arena.bundle_format.declared_text import may_be_version


@pytest.mark.parametrize("text", ["1", "2.0-rc.1+abc", "v7_[x]", "ä" * 32, "x" * 64])
def test_what_a_version_may_be_called(text: str) -> None:
    assert may_be_version(text)


@pytest.mark.parametrize(
    "text", ["", " ", "1 2", "1\t2", "1\xa02", "1@2", "1,2", "1/2", "\x1b[2J", "1\u202e", "x" * 65, "ä" * 33]
)
def test_what_a_version_may_not_be_called(text: str) -> None:
    assert not may_be_version(text)

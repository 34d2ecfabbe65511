"""Texts as editors save them: each is read alike, or refused with the name of its encoding."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from tests.core.saved_texts import SAVED

TEXT = 'name = "mío"\nentry = "bot.py"\n'


@pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)
def test_a_text_is_the_same_however_it_was_saved(save: Callable[[str], bytes], tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(save(TEXT))
    assert foreign_text.read(file).rstrip("\n") == TEXT.rstrip("\n")


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"a\nna\xefve\n", "not text in UTF-8: byte 0xef in line 2"),
        ("name".encode("utf-16-le"), "it is UTF-16"),
        (b"\xff\xfea", "not text in UTF-16"),
        (b"\x00\x01binary, much longer than its NULs", "it is binary data"),
    ],
)
def test_what_is_no_text_is_refused_with_a_reason(data: bytes, named: str) -> None:
    with pytest.raises(UnreadableText, match=named) as refused:
        foreign_text.decode(data)
    assert "save it as UTF-8" in str(refused.value)


def test_an_opened_file_that_is_no_text_is_named() -> None:
    file = BytesIO(b"\xe9")
    file.name = "secret.txt"
    with pytest.raises(UsageError, match=r"file .secret\.txt.: it is not text in UTF-8"):
        foreign_text.read_opened(file)

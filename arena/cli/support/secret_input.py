"""Secrets that a person gives: the one line of a file or of stdin, or what is typed at a prompt, as editors and shells leave it."""

from __future__ import annotations

from typing import IO

import click

from arena.core.errors import UsageError
from arena.core.foreign_text import read_opened


def read_token(file: IO[bytes] | None, what: str) -> str:
    """Read a token, a link or a secret; blanks around it do not count.  Raises UsageError, which does not show it."""
    return (_ask(what) if file is None else _one_line(file, what)).strip()


def read_password(file: IO[bytes] | None, what: str, *, confirm: bool = False) -> str:
    """Read a password, in which blanks count.  Raises UsageError, which does not show it."""
    return _ask(what, confirm=confirm) if file is None else _one_line(file, what)


def _ask(what: str, *, confirm: bool = False) -> str:
    return str(click.prompt(what, hide_input=True, err=True, confirmation_prompt=confirm))


def _one_line(file: IO[bytes], what: str) -> str:
    lines = read_opened(file).strip("\n").split("\n")
    if len(lines) > 1:
        raise UsageError(
            f"file {file.name!r}: has {len(lines)} lines; the {what.lower()} must be the one line of it"
        )
    return lines[0]

"""Tokens and secrets that go into a header: `Authorization: Bearer …`."""

from __future__ import annotations

import re

from arena.core.errors import UsageError

_VISIBLE = re.compile(r"[!-~]*")


def clean_secret(text: str, name: str) -> str:
    """Return a token or secret without the blanks and line ends around it; `name` says where it is from.

    Raises UsageError, which does not show it, if it could not be in a header.
    """
    secret = text.strip()
    if not _VISIBLE.fullmatch(secret):
        raise UsageError(
            f"{name}: has a blank, a line break or a letter beyond ASCII in the middle, as no token has; copy it again (it is not shown here)"
        )
    return secret

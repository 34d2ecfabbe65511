"""The commands of a page's `console` blocks, each with the machine that its prompt names.

A block that a test cannot run says why in a comment before it: `<!-- not run: … -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLOCK = re.compile(r"(?:^<!-- not run: ([^\n]*) -->\n)?^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROMPT = re.compile(r"^(\w+)[$#] ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of any number of lines; `left_out` says why no test runs it, and is empty if one does."""

    machine: str
    text: str
    left_out: str


def commands(page: str) -> Iterator[Command]:
    """Read a page from top to bottom."""
    for reason, block in _BLOCK.findall(page):
        _, *parts = _PROMPT.split(block)
        for machine, text in zip(parts[::2], parts[1::2], strict=True):
            yield Command(machine, text.strip(), reason)

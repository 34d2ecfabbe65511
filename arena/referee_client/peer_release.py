"""The release and generation of both sides of a call to a control port, in its metadata."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.core.release import FIRST_GENERATION, GENERATION, Peer, release

_GENERATION = "arena-generation"
_RELEASE = "arena-release"


def metadata() -> tuple[tuple[str, str], ...]:
    """Return what this side says of itself."""
    return ((_GENERATION, str(GENERATION)), (_RELEASE, release()))


def read_peer(pairs: Iterable[tuple[str, Any]] | None) -> Peer:
    """Read what the other side says of itself; a generation that is no number counts as none."""
    found = {name: str(value) for name, value in pairs or ()}
    generation = found.get(_GENERATION, "")
    return Peer(
        release=found.get(_RELEASE, "")[:64],
        generation=int(generation) if generation.isdecimal() and len(generation) < 10 else FIRST_GENERATION,
    )

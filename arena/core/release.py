"""The release that runs, and the generation of the protocol that its parts speak among each other.

Parts of two releases work together while an arena is upgraded, as long as their generations are at most one apart:

    1   release 0.1, which names no generation
    2   referees drain

A change of the control port that the generation before would not understand makes a new generation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

GENERATION = 2
FIRST_GENERATION = 1
"""The generation of parts that name none."""
_MOST_APART = 1


@cache
def release() -> str:
    """Return the release that is installed, such as `0.2.0`; `unknown` where nothing is."""
    try:
        return version("bot-arena")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Peer:
    """The other side of a call: its release, empty if it names none, and its generation."""

    release: str
    generation: int


def explain_distance(us: str, them: str, peer: Peer) -> str:
    """Return why we cannot work with a peer and which side to upgrade; empty if we can.

    `us` and `them` name the two sides, such as "this referee" and "the caller".
    """
    if abs(peer.generation - GENERATION) <= _MOST_APART:
        return ""
    older, newer = (us, them) if peer.generation > GENERATION else (them, us)
    return (
        f"{them} (release {peer.release or '0.1'}) speaks generation {peer.generation} of the control protocol and"
        f" {us} (release {release()}) speaks {GENERATION}; at most {_MOST_APART} apart work together:"
        f" upgrade {older} to the release of {newer}"
    )

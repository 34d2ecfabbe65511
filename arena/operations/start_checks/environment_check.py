"""Variables `ARENA_…` that no part of the arena reads: mostly typing errors in the file of settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from arena.core.settings import Settings
from arena.core.translatable import mark, say

PREFIX = "ARENA_"
OTHERS = frozenset(
    {
        *("ARENA_CONTROL_KEY", "ARENA_LOG_FILE", "ARENA_COMPILED"),
        *(
            "ARENA_URL",
            "ARENA_API_TOKEN",
            "ARENA_TOKEN",
            "ARENA_REFEREE",
            "ARENA_BOT_SECRET",
            "ARENA_SEARCH_ITERATIONS",
            "ARENA_STOP_AT",
            "ARENA_PROFILE",
        ),
    }
)
"""Variables that are read but are no settings: secrets, and those of bots and tests."""
_OF_TESTS = "ARENA_TEST_"
_ALIKE = 0.75
"""Similarity of two names, 0 to 1, from which one is suggested for the other."""

NEARLY = mark("{name}: unknown setting, ignored; did you mean {nearest}?")
UNKNOWN = mark("{name}: unknown setting in this version, ignored; docs/settings.md lists them all")


def known() -> frozenset[str]:
    """Return the names of all variables that are read."""
    return frozenset(f"{PREFIX}{field}".upper() for field in Settings.model_fields) | OTHERS


def check_names(names: Iterable[str]) -> Iterator[str]:
    """Yield a warning for each variable of the environment that has our prefix and no meaning."""
    meant = known()
    for name in sorted(names):
        if not name.startswith(PREFIX) or name.startswith(_OF_TESTS) or name in meant:
            continue
        nearest = get_close_matches(name, sorted(meant), n=1, cutoff=_ALIKE)
        yield say(NEARLY, name=name, nearest=nearest[0]) if nearest else say(UNKNOWN, name=name)

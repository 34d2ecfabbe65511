"""Labels that distinguish bots of one name: the part of their paths that differs."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePath

_FILE = "file:"
_HOUSE = "house:"


def tell_apart(places: Collection[str]) -> dict[str, str]:
    """Return for each of some places, as `Contender.place` has them, what distinguishes it from the others; nothing for one alone."""
    if len(places) == 1:
        return dict.fromkeys(places, "")
    shown = {each: "house bot" if each.startswith(_HOUSE) else each for each in places}
    paths = {each: PurePath(each.removeprefix(_FILE)).parts for each in places if each.startswith(_FILE)}
    if len(paths) == 1:  # the others are no files
        return shown | {each: "/".join(parts[-2:]) for each, parts in paths.items()}
    same = _count_same(list(paths.values()))
    differ = {each: parts[: len(parts) - same] for each, parts in paths.items()}
    for length in range(1, max(map(len, differ.values()), default=0) + 1):
        ends = {each: "/".join(parts[-length:]) for each, parts in differ.items()}
        if len(set(ends.values())) == len(ends):
            return shown | ends
    return shown


def _count_same(paths: Collection[tuple[str, ...]]) -> int:
    """Return how many parts at the end are the same in all paths; at least one part of each is left over."""
    count = 0
    for parts in zip(*[reversed(path[1:]) for path in paths], strict=False):
        if len(set(parts)) > 1:
            break
        count += 1
    return count

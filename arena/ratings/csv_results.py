"""Results of matches as CSV: one line a match.

    set,bots,places
    s1,a b c,1 2 2
    ,a b,1 1          an empty set: the match is a cluster of its own

Bots and places stand with spaces between them; place 1 is the best, a shared place a draw.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from arena.core.errors import UsageError
from arena.ratings.set_clusters import SetTotal, count
from arena.ratings.totals import MAX_SEATS, PairTotal, total

HEADER = ["set", "bots", "places"]

_Match = tuple[tuple[str, ...], tuple[int, ...], None]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a sheet adds up to."""

    totals: tuple[PairTotal, ...]
    sets: dict[SetTotal, int]
    matches: dict[str, int]
    """By bot, how many matches it played; those between copies of one bot only are none."""


def read(lines: Iterable[str]) -> Sheet:
    """Read a sheet.  Raises UsageError naming the line, the field and what was expected."""
    rows = csv.reader(lines, strict=True)
    sets: dict[str, list[_Match]] = defaultdict(list)
    played: dict[str, int] = defaultdict(int)
    try:
        header = [field.strip() for field in next(rows, [])]
        if header != HEADER:
            raise UsageError(f"line 1: {','.join(header)!r}: the header must be {','.join(HEADER)!r}")
        for row in rows:
            if not row:
                continue
            name, match = _match(row, rows.line_num)
            sets[f"set {name}" if name else f"line {rows.line_num}"].append(match)
            for bot in set(match[0]) if len(set(match[0])) > 1 else ():
                played[bot] += 1
    except csv.Error as error:
        raise UsageError(
            f"line {rows.line_num}: {error}; must be {','.join(HEADER)}, and quotes closed"
        ) from error
    if not played:
        raise UsageError("line 2: there is no match between two different bots")
    return Sheet(
        totals=total(match for matches in sets.values() for match in matches),
        sets=dict(count(total(matches) for matches in sets.values())),
        matches=dict(played),
    )


def _match(row: list[str], line: int) -> tuple[str, _Match]:
    if len(row) < len(HEADER):
        raise UsageError(f"line {line}, {HEADER[len(row)]}: is missing; must be {','.join(HEADER)}")
    if len(row) > len(HEADER):
        raise UsageError(f"line {line}, field 4 {row[3]!r}: is one too many; must be {','.join(HEADER)}")
    bots, places = tuple(row[1].split()), tuple(row[2].split())
    if not 2 <= len(bots) <= MAX_SEATS:
        raise UsageError(
            f"line {line}, bots {row[1]!r}: must be 2 to {MAX_SEATS} names with spaces between them"
        )
    if len(places) != len(bots):
        raise UsageError(
            f"line {line}, places {row[2]!r}: must be {len(bots)} numbers, one for each of the bots {row[1]!r}"
        )
    if not all(place.isascii() and place.isdecimal() and 1 <= int(place) <= len(bots) for place in places):
        raise UsageError(f"line {line}, places {row[2]!r}: each must be a number from 1 to {len(bots)}")
    return row[0].strip(), (bots, tuple(map(int, places)), None)

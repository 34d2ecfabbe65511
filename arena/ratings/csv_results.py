"""Results of matches as CSV: one line a match.

    set,bots,places
    s1,a b c,1 2 2
    ,a b,1 1          an empty set: the match is a cluster of its own

Bots and places are separated by spaces; place 1 is the best, a shared place a draw.  Columns of `IN_ARCHIVES` and a date may
be added, in any order.  Three of them are read; each names bots of the line:

    forfeits   bots that lost without playing to the end: to each of the others, and nothing else of the match counts
    absent     bots that did not take part; a bot that was absent from all of its matches has no rating
    annulled   bots whose results in the match do not count
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

from arena.core.errors import UsageError
from arena.ratings.set_clusters import SetTotal, count
from arena.ratings.totals import MAX_SEATS, PairTotal, total

HEADER = ("set", "bots", "places")
IN_ARCHIVES = (
    *("set", "match", "bots", "places", "scores", "end"),
    *("forfeits", "absent", "annulled", "groups"),
)
_KNOWN = {*IN_ARCHIVES, "date"}
_BOTS = ("forfeits", "absent", "annulled")


@dataclass(frozen=True, slots=True)
class _Match:
    """A line of a sheet."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    forfeits: frozenset[str]
    absent: frozenset[str]
    annulled: frozenset[str]

    def pairs(self, unrated: AbstractSet[str]) -> tuple[PairTotal, ...]:
        """Return what its bots took from each other, as far as it counts."""
        void = self.annulled | unrated
        forfeits = {seat for seat, bot in enumerate(self.bots) if bot in self.forfeits}
        found = total([(self.bots, self.places, forfeits)])
        return tuple(pair for pair in found if pair.low not in void and pair.high not in void)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Totals that a CSV file adds up to."""

    totals: tuple[PairTotal, ...]
    sets: dict[SetTotal, int]
    matches: dict[str, int]
    """By bot, how many matches it played; those between copies of one bot only are none."""


def read(lines: Iterable[str]) -> Sheet:
    """Read a sheet.  Raises UsageError naming the line, the field and what was expected."""
    rows = csv.reader(lines, strict=True)
    sets: dict[str, list[_Match]] = defaultdict(list)
    try:
        columns = _columns([field.strip() for field in next(rows, [])])
        for row in rows:
            if not row:
                continue
            name, match = _match(row, columns, rows.line_num)
            sets[f"set {name}" if name else f"line {rows.line_num}"].append(match)
    except csv.Error as error:
        raise UsageError(
            f"line {rows.line_num}: {error}; must be {','.join(HEADER)}, and quotes closed"
        ) from error
    unrated = _never_there([match for matches in sets.values() for match in matches])
    played: Counter[str] = Counter()
    by_set = []
    for matches in sets.values():
        found = [match.pairs(unrated) for match in matches]
        by_set.append(_sum(chain.from_iterable(found)))
        for pairs in found:
            played.update({bot for pair in pairs for bot in (pair.low, pair.high)})
    if not played:
        raise UsageError("line 2: there is no match between two different bots")
    return Sheet(_sum(chain.from_iterable(by_set)), dict(count(by_set)), dict(played))


def _never_there(matches: Iterable[_Match]) -> frozenset[str]:
    """Return the bots that were away from all of their matches that count."""
    away: dict[str, bool] = {}
    for match in matches:
        for bot in set(match.bots) - match.annulled:
            away[bot] = away.get(bot, True) and bot in match.absent
    return frozenset(bot for bot, always in away.items() if always)


def _sum(pairs: Iterable[PairTotal]) -> tuple[PairTotal, ...]:
    sums: dict[tuple[str, str], list[int]] = {}
    for pair in pairs:
        units = sums.setdefault((pair.low, pair.high), [0, 0])
        units[0] += pair.low_units
        units[1] += pair.high_units
    return tuple(PairTotal(low, high, *units) for (low, high), units in sorted(sums.items()))


def _columns(header: list[str]) -> list[str]:
    unknown = [name for name in header if name not in _KNOWN or header.count(name) > 1]
    if unknown or not set(HEADER) <= set(header):
        raise UsageError(
            f"line 1: {','.join(header)!r}: the header must be {','.join(HEADER)!r},"
            f" and may have {', '.join(sorted(_KNOWN - set(HEADER)))}"
        )
    return header


def _match(row: list[str], columns: Sequence[str], line: int) -> tuple[str, _Match]:
    whole = ",".join(columns)
    if len(row) < len(columns):
        raise UsageError(f"line {line}, {columns[len(row)]}: is missing; must be {whole}")
    if len(row) > len(columns):
        number = len(columns) + 1
        raise UsageError(f"line {line}, field {number} {row[number - 1]!r}: is one too many; must be {whole}")
    fields = dict(zip(columns, row, strict=True))
    bots, places = tuple(fields["bots"].split()), tuple(fields["places"].split())
    if not 2 <= len(bots) <= MAX_SEATS:
        raise UsageError(
            f"line {line}, bots {fields['bots']!r}: must be 2 to {MAX_SEATS} names with spaces between them"
        )
    if len(places) != len(bots):
        raise UsageError(
            f"line {line}, places {fields['places']!r}: must be {len(bots)} numbers, one for each of the bots {fields['bots']!r}"
        )
    if not all(place.isascii() and place.isdecimal() and 1 <= int(place) <= len(bots) for place in places):
        raise UsageError(
            f"line {line}, places {fields['places']!r}: each must be a number from 1 to {len(bots)}"
        )
    named = {name: frozenset(fields.get(name, "").split()) for name in _BOTS}
    for name, of in named.items():
        if not of <= set(bots):
            raise UsageError(
                f"line {line}, {name} {fields[name]!r}: must be names of the bots {fields['bots']!r}, or empty"
            )
    return fields["set"].strip(), _Match(bots, tuple(map(int, places)), **named)

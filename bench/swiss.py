"""Swisses: repeats, floats and differences of score, compared with two pairers from PyPI; and how soon a large one is paired.

The other pairers are in no lock: `pip install swisspair caissify-pairings` into any folder of PYTHONPATH; without them their columns are
left out.  All are given the same bots, of strengths 20 Elo apart, and results that depend on the pair and the round only.  caissify's is the
Dutch system of the FIDE, which also balances colours: here everyone plays both sides of each set.  swisspair draws lots of its own, so that
its figures differ from run to run; it looks no round ahead, and ends where only a repeat is left.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from arena.games.chance import Stream
from arena.ratings.model import expected
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet
from arena.scheduling.formats.swiss import Swiss
from arena.scheduling.swiss_pairing.scores import standing
from bench.figures import Figure

FIELDS = ((5, 4), (6, 5), (8, 5), (9, 6), (16, 6), (30, 7), (30, 25), (64, 8))
"""Entries and rounds."""
LARGE = (200, 50)
LIMIT_S = 10.0
_ELO_APART = 20.0

Tables = tuple[tuple[int, ...], ...]
Drawn = tuple[Tables, tuple[int, ...]]
"""Pairs, and entries with a bye."""
Pairer = Callable[[int, int, Sequence[PlayedRound]], Drawn | None]
"""Function that pairs a round of `entries` and `rounds` after those that were played; None if it cannot."""


@dataclass(frozen=True, slots=True)
class Course:
    """Result of a Swiss."""

    rounds: int
    repeats: int
    floats: float
    """The share of the meetings of bots whose scores were not equal."""
    difference: float
    """The mean difference of the scores of those who met, in sets."""
    byes: int
    """By how many the numbers of byes differ."""
    seconds: float
    """Of the processor, for all pairings."""


def measure() -> list[Figure]:
    """Play the fields with each pairer and print the table; return the figures of the arena's own."""
    others = {"swisspair": _swisspair, "caissify_pairings": _caissify}
    pairers: dict[str, Pairer] = {
        "arena": _arena,
        **{name: pairer for name, pairer in others.items() if find_spec(name)},
    }
    console = Console(width=150, stderr=True)
    shown = Table(
        title="Swiss: rounds paired · repeats · floats · mean difference of scores · spread of byes"
    )
    shown.add_column("bots, rounds")
    for name in pairers:
        shown.add_column(name, justify="right")
    unneeded = 0
    for entries, rounds in FIELDS:
        courses = {name: play(pairer, entries, rounds) for name, pairer in pairers.items()}
        needed = max(0, rounds * (entries // 2) - entries * (entries - 1) // 2)
        unneeded += courses["arena"].repeats - needed
        shown.add_row(f"{entries}, {rounds}", *(_cell(course) for course in courses.values()))
    console.print(shown)
    for name in sorted(others.keys() - pairers.keys()):
        console.print(f"{name} is not installed: its column is left out")
    large = play(_arena, *LARGE)
    note = f"{large.repeats} repeats, {large.floats:.0%} floats, scores {large.difference:.2f} apart"
    fields = f"{len(FIELDS)} Swisses of {FIELDS[0][0]} to {FIELDS[-1][0]} bots"
    return [
        Figure(f"repeats that were not needed, {fields}", unneeded, "meetings", 0, at_least=False),
        Figure(
            f"Swiss of {LARGE[0]} bots, {LARGE[1]} rounds, processor",
            large.seconds,
            "s",
            LIMIT_S,
            at_least=False,
            note=note,
        ),
    ]


def play(pairer: Pairer, entries: int, rounds: int) -> Course:
    """Play a Swiss as far as it can be paired."""
    played: list[PlayedRound] = []
    differences: list[int] = []
    seconds = 0.0
    while len(played) < rounds:
        began = time.process_time()
        drawn = pairer(entries, rounds, played)
        seconds += time.process_time() - began
        if drawn is None:
            break
        tables, byes = drawn
        scores = standing(played, entries)
        differences += [abs(scores[a] - scores[b]) for a, b in tables]
        sets = tuple(PlayedSet(table, _result(table, len(played))) for table in tables)
        played.append(PlayedRound(sets, byes))
    met = Counter(frozenset(one.table) for each in played for one in each.sets)
    had = Counter(entry for each in played for entry in each.byes)
    byes_of_all = [had[entry] for entry in range(entries)]
    return Course(
        rounds=len(played),
        repeats=sum(met.values()) - len(met),
        floats=sum(map(bool, differences)) / len(differences),
        difference=sum(differences) / len(differences) / 4,
        byes=max(byes_of_all) - min(byes_of_all),
        seconds=seconds,
    )


def _cell(course: Course) -> str:
    return (
        f"{course.rounds} · {course.repeats} · {course.floats:.0%} · {course.difference:.2f} · {course.byes}"
    )


def _result(table: tuple[int, ...], number: int) -> tuple[int, int]:
    """Play a set of two matches; the first entry is the strongest."""
    low, high = sorted(table)
    random = Random(f"{low} {high} {number}")
    chance = expected((high - low) * _ELO_APART, 0.0)
    halves = sum(2 * (random.random() < chance) for _ in range(2))
    return (halves, 4 - halves) if table[0] == low else (4 - halves, halves)


def _arena(entries: int, rounds: int, played: Sequence[PlayedRound]) -> Drawn | None:
    drawn = Swiss(entries, rounds).next(played, (), Stream(len(played).to_bytes(32, "big")))
    return None if drawn is None else (drawn.tables, drawn.byes)


def _swisspair(entries: int, _rounds: int, played: Sequence[PlayedRound]) -> Drawn | None:
    swisspair: Any = import_module("swisspair")
    scores, met = standing(played, entries), _met(played, entries)
    had = Counter(entry for each in played for entry in each.byes)
    fewest = min(had[entry] for entry in range(entries))
    players = [
        swisspair.Player(
            id=str(entry),
            points=scores[entry],
            rank=rank + 1,
            can_get_bye=had[entry] == fewest,
            cannot_be_paired_against_ids={str(other) for other in met[entry]},
        )
        for rank, entry in enumerate(sorted(range(entries), key=lambda each: -scores[each]))
    ]
    try:
        matches = swisspair.create_matches(players)
    except RuntimeError:
        return None  # it never repeats a meeting
    tables = tuple((int(match.p1.id), int(match.p2.id)) for match in matches if not match.is_bye)
    return tables, tuple(int(match.p1.id) for match in matches if match.is_bye)


def _caissify(entries: int, rounds: int, played: Sequence[PlayedRound]) -> Drawn | None:
    caissify: Any = import_module("caissify_pairings")
    players: list[dict[str, Any]] = [
        {
            "id": entry + 1,
            "name": str(entry),
            "score": 0.0,
            "rating": 2400 - entry,
            "starting_number": entry + 1,
            "color_hist": [],
            "float_history": [],
            "bye_count": 0,
        }
        for entry in range(entries)
    ]
    for number, each in enumerate(played):
        before = standing(played[:number], entries)
        for one in each.sets:
            for entry, other, colour in zip(one.table, one.table[::-1], ("white", "black"), strict=True):
                ahead = before[entry] - before[other]
                players[entry]["color_hist"].append(colour)
                players[entry]["float_history"].append("down" if ahead > 0 else "up" if ahead < 0 else "none")
        for entry in each.byes:
            players[entry]["color_hist"].append("none")
            players[entry]["float_history"].append("down")
            players[entry]["bye_count"] += 1
    for player, halves in zip(players, standing(played, entries), strict=True):
        player["score"] = halves / 4
    met = {(min(one.table) + 1, max(one.table) + 1) for each in played for one in each.sets}
    try:
        pairs = caissify.generate_pairings(
            system="dutch",
            players=players,
            previous_pairings=met,
            round_number=len(played) + 1,
            total_rounds=rounds,
        )
    except (RuntimeError, ValueError):
        return None
    tables = tuple((pair["white_id"] - 1, pair["black_id"] - 1) for pair in pairs if pair["black_id"])
    if len(tables) < entries // 2:
        return None
    return tables, tuple(pair["white_id"] - 1 for pair in pairs if not pair["black_id"])


def _met(played: Sequence[PlayedRound], entries: int) -> list[set[int]]:
    met: list[set[int]] = [set() for _ in range(entries)]
    for each in played:
        for one in each.sets:
            a, b = one.table
            met[a].add(b)
            met[b].add(a)
    return met

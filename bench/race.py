"""Races in simulation: how often the best is lost, and how many matches a round-robin takes for the same.

The round-robin plays until the same bets, at the same error, have shown its best; in it all play on to the end.  Fields that it
cannot decide within the limit of rounds count with what it has played by then, so it is not made out to be longer than it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from arena.games.chance import Stream
from arena.ratings.elimination import Contenders
from arena.ratings.model import expected
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet
from arena.scheduling.formats.race import Race
from bench.figures import Figure

RUNS = 1_000
"""Races of the first field; of the others a tenth."""
ENTRIES, ERROR = 20, 0.05
ROUNDS = 3_000
MIN_SAVED = 0.6
Elos = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Field:
    """Field of a race: how the Elo of the entries are drawn, at tables of how many seats."""

    name: str
    seats: int
    spread: float | None
    """Standard deviation; None for steps of 20 Elo."""

    def draw(self, random: np.random.Generator) -> Elos:
        """Return the Elo of the entries."""
        if self.spread is None:
            return random.permutation(np.arange(ENTRIES) * 20.0)
        return random.normal(0.0, self.spread, ENTRIES)


FIELDS = (
    Field("20 versions, spread 100 Elo", 2, 100.0),
    Field("20 versions, steps of 20 Elo", 2, None),
    Field("20 versions, spread 100 Elo, 4 seats", 4, 100.0),
    Field("20 versions, spread 100 Elo, 6 seats", 6, 100.0),
)


def measure() -> list[Figure]:
    """Race the fields, and play a round-robin of each."""
    figures = []
    shown = Table(title=f"Matches until the best of {ENTRIES} is known at an error of {ERROR:.0%}, medians")
    for heading in ("field", "runs", "race", "round-robin", "saved", "best lost", "undecided"):
        shown.add_column(heading, justify="left" if heading == "field" else "right")
    for field in FIELDS:
        runs = RUNS if field is FIELDS[0] else RUNS // 10
        found = [_run(field, seed) for seed in track(range(runs), field.name, transient=True)]
        races, robins = (np.array([each[place] for each in found]) for place in (0, 1))
        lost = sum(each[2] for each in found)
        undecided = sum(each[3] for each in found)
        saved = 1 - races.sum() / robins.sum()
        shown.add_row(
            field.name,
            f"{runs:,}",
            f"{np.median(races):,.0f}",
            f"{np.median(robins):,.0f}",
            f"{saved:.0%}",
            str(lost),
            str(undecided),
        )
        note = f"{runs:,} fields; all matches of all, race over round-robin"
        figures.append(Figure(f"{field.name}: matches saved", saved, "share", MIN_SAVED, note=note))
        note = f"{lost} of {runs:,}"
        figures.append(
            Figure(f"{field.name}: best lost", lost / runs, "share", ERROR, at_least=False, note=note)
        )
    Console(stderr=True).print(shown)
    return figures


def _run(field: Field, seed: int) -> tuple[int, int, bool, bool]:
    """Return the matches of a race and of a round-robin, whether the race lost the best, and whether it was undecided."""
    random = np.random.default_rng(seed)
    elos = field.draw(random)
    race = Race(ENTRIES, field.seats, ROUNDS, ERROR)
    played: list[PlayedRound] = []
    matches = 0
    while drawn := race.next(played, (), Stream(seed.to_bytes(16, "big") + len(played).to_bytes(16, "big"))):
        played.append(PlayedRound(tuple(_results(drawn.tables, elos, random))))
        matches += len(drawn.tables) * field.seats
    still_in = race.state(played).still_in
    return matches, _round_robin(field, elos, random), int(elos.argmax()) not in still_in, len(still_in) > 1


def _round_robin(field: Field, elos: Elos, random: np.random.Generator) -> int:
    """Return the matches until the best is known if all entries stay."""
    whole = Race(ENTRIES, field.seats, ROUNDS, ERROR)
    contenders = Contenders(ENTRIES, ERROR)
    stream, rounds, tables = Stream(random.bytes(32)), 0, -(-ENTRIES // field.seats)
    everybody = list(range(ENTRIES))
    while len(contenders.still_in) > 1 and rounds < ROUNDS:
        step = min(ROUNDS - rounds, max(8, rounds // 8))
        drawn: list[Any] = []
        for _ in range(step):
            more, stream = whole.draw(everybody, (), stream)
            drawn += more
        sets = PlayedRound(tuple(_results(drawn, elos, random)))
        contenders.look(whole.scores(sets, tables))
        rounds += step
    return rounds * tables * field.seats


def _results(tables: Sequence[tuple[int, ...]], elos: Elos, random: np.random.Generator) -> list[PlayedSet]:
    """Play sets: each match has an order of places, drawn so that two of a table meet as their Elo says (Plackett and Luce)."""
    at = np.array(tables)
    seats = at.shape[1]
    if seats == 2:
        shares = np.array([[expected(first, second) for second in elos] for first in elos])
        won = random.binomial(2, shares[at[:, 0], at[:, 1]])
        halves = np.stack([2 * won, 4 - 2 * won], axis=1)
    else:
        luck = random.gumbel(size=(seats, *at.shape)) + elos[at] * np.log(10) / 400
        halves = 2 * luck.argsort(axis=2).argsort(axis=2).sum(axis=0)
    return [PlayedSet(table, tuple(row)) for table, row in zip(tables, halves.tolist(), strict=True)]

"""How strong the house bots are, without clocks: `python -m bench.strength`, or `measure` beside the other figures."""

from __future__ import annotations

from hashlib import sha256

from rich.console import Console
from rich.table import Table

from arena.games.registry import GAMES
from arena.sdk import practise
from bench.figures import Figure
from bots.catalogue import house_bot, house_bots

SETS = 15
LEAST_AGAINST_RANDOM = 0.7
"""Points per rival that any style must make against `random`; less, and it is no style but a mistake."""


def points(game: str, name: str, rival: str) -> float:
    """Seat a bot once in every seat of a smallest table of rivals, set after set; its points per rival."""
    seats = next(iter(GAMES[game].variants.values()))[0]
    bot, other = house_bot(game, name), house_bot(game, rival)
    total = 0.0
    for number in range(SETS):
        seed = sha256(f"strength/{number}".encode()).digest()
        for seat in range(seats):
            places = practise(
                game, [bot if each == seat else other for each in range(seats)], seed=seed
            ).places
            rivals = [place for each, place in enumerate(places) if each != seat]
            total += sum(
                1.0 if places[seat] < place else 0.5 if places[seat] == place else 0.0 for place in rivals
            )
    return total / (SETS * seats * (seats - 1))


def measure() -> list[Figure]:
    """Measure every bot against `random`, and against `greedy` for comparison."""
    figures = []
    for game in GAMES:
        for name in house_bots(game):
            against = points(game, name, "greedy")
            figures.append(
                Figure(
                    name=f"{game}: {name} against random",
                    value=round(points(game, name, "random"), 3),
                    unit="points",
                    limit=None if name == "random" else LEAST_AGAINST_RANDOM,
                    note=f"{against:.2f} against greedy",
                )
            )
    return figures


def main() -> None:
    """Print the figures."""
    table = Table("", "points", "", title="House bots")
    for figure in measure():
        table.add_row(figure.name, f"{figure.value:.2f}", figure.note)
    Console().print(table)


if __name__ == "__main__":
    main()

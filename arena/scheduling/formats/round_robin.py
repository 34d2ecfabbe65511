"""Two seats: everybody meets everybody, by the circle method.

One bot stays, the others walk round a table; the two rows that face each other are the pairs of a round (for six):

    round 0   0 1 2        round 1   0 5 1
              5 4 3                  4 3 2

An odd number is made even by a ghost: whoever meets it has a bye.  Source: Berger tables, FIDE handbook C.05 annex 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Each pair meets once in every cycle.  A sequence of pairs of entries, computed where it is asked."""

    entries: int
    cycles: int = 1

    def __len__(self) -> int:
        """Count the pairs of all cycles."""
        return self.cycles * (self.entries * (self.entries - 1) // 2)

    def __getitem__(self, number: int) -> tuple[int, int]:
        """Return the pair with that number, round by round."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        per_round = self.entries // 2
        rounds = self.entries - 1 + self.entries % 2
        round_number, table = divmod(number % (rounds * per_round), per_round)
        ghost = self.entries % 2
        # With a ghost its table, the one of the bot that stays, falls out; n − 1 bots walk.
        return self._table(round_number, table + ghost)

    def _table(self, round_number: int, table: int) -> tuple[int, int]:
        walkers = self.entries - 1 + self.entries % 2
        stays = walkers
        if table == 0:
            return stays, round_number
        return (round_number + table) % walkers, (round_number - table) % walkers

"""A contest: everything that the matches of `arena match` follow from."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from arena.cli.match.contenders import Contender
from arena.games.kernel import Setup
from arena.match.clock import TimeControl
from arena.referee_client import Order
from arena.scheduling import seeds
from arena.scheduling.match_sets import PlannedMatch, series


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: everything that the matches follow from."""

    game: str
    setup: Setup
    time: TimeControl
    seed: bytes
    contenders: tuple[Contender, ...]
    sets: int

    def plan(self) -> dict[str, PlannedMatch]:
        """Plan all matches, by their ids; a set's do not depend on how many sets there are."""
        inputs = seeds.inputs_digest(
            commitment=sha256(self.seed).digest(),
            game=self.game,
            variant=self.setup.variant,
            options=self.setup.options,
            time=str(self.time),
            seats=self.setup.seats,
            bots=[(each.bot, each.version) for each in self.contenders],
            cycles=1,
            trusted=True,
        )
        return {match.id: match for match in series(self.seed, inputs, self.setup.seats, self.sets)}

    def order(self, match: PlannedMatch) -> Order:
        """Order a match of the plan."""
        seats = tuple(self.contenders[bot].order(match.lane, self.setup.seats) for bot in match.seats)
        return Order(
            match=match.id,
            game=self.game,
            variant=self.setup.variant,
            options=self.setup.options,
            seed=match.seed,
            time=self.time,
            seats=seats,
        )

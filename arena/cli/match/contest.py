"""A contest: everything that matches at home follow from."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from arena.cli.match.contenders import Contender, as_submitted
from arena.devtools.home_uploads import Upload
from arena.games.kernel import Setup
from arena.match.clock import TimeControl
from arena.referee_client import Order
from arena.scheduling import seeds
from arena.scheduling.formats.adaptive_rounds import TableEntries
from arena.scheduling.match_sets import Plan, PlannedMatch, series

Planned = Mapping[str, PlannedMatch]
"""Matches that are to be played, by their ids."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Contest of some bots: everything that its matches follow from."""

    game: str
    setup: Setup
    time: TimeControl
    seed: bytes
    contenders: tuple[Contender, ...]
    uploads: tuple[Upload, ...] = ()
    """Uploads for the referee: the projects that play as submissions."""

    def plan_series(self, sets: int) -> Planned:
        """Plan all matches of `arena match`; a set's do not depend on how many sets there are."""
        return _by_id(series(self.seed, self._inputs, self.setup.seats, sets))

    def plan_tables(self, tables: Sequence[TableEntries], first: int) -> Planned:
        """Plan the matches of all tables from number `first` on; each table is a set."""
        may_share = (True,) * len(self.contenders)
        plan = Plan(self.seed, self._inputs, self.setup.seats, may_share, tables, trusted=True)
        return _by_id(match for number in range(first, len(tables)) for match in plan.set(number))

    def as_submitted(self) -> Contest:
        """Return the same matches with each project as a submission of it plays.  Raises Refusal, UsageError."""
        contenders, uploads = as_submitted(self.contenders)
        return replace(self, contenders=contenders, uploads=uploads)

    def order(self, match: PlannedMatch, lane: int, lanes: int) -> Order:
        """Order a match of a plan, to be played by the processes of one of its lanes."""
        return Order(
            match=match.id,
            game=self.game,
            variant=self.setup.variant,
            options=self.setup.options,
            seed=match.seed,
            time=self.time,
            seats=tuple(self.contenders[bot].order(lane, lanes) for bot in match.seats),
        )

    def to_document(self) -> dict[str, Any]:
        """Return the beginning of what `--json` prints."""
        return {
            "game": self.game,
            "variant": self.setup.variant,
            "options": dict(self.setup.options),
            "time": str(self.time),
            "seed": self.seed.hex(),
        }

    @property
    def _inputs(self) -> bytes:
        return seeds.inputs_digest(
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


def read_seed(text: str | None) -> bytes:
    """Read the seed that was given; a random one if none was.  Raises UsageError."""
    return secrets.token_bytes(seeds.SECRET_BYTES) if text is None else seeds.parse_secret(text, "seed")


def _by_id(matches: Iterable[PlannedMatch]) -> Planned:
    return {match.id: match for match in matches}

"""One version of a bot, as tournaments enter it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.bot_registry import variant_suspensions
from arena.bot_registry.variant_suspensions import VariantSuspension
from arena.bot_registry.version_states import ACTIVE, HOSTED
from arena.declarations import declared_tables
from arena.declarations.declared_tables import DeclaredTables


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One version of a bot: what plays.  `source` and `program` are as the table `version` has them."""

    version_id: int
    bot: str
    version: str
    game: str
    source: str
    program: str
    state: str = ACTIVE
    """`active`: it can be entered; else `waiting`, `failed`, `superseded`, `withdrawn` or `suspended`, as the table `version` says."""
    owner: str | None = None
    """The name of the user whose bot it is; None for the house and for what the operator added."""
    declared: str | None = None
    """The version that a bot that runs elsewhere last said it is (`arena.competition.qualification.declared_versions`): the arena has not verified that."""
    house: bool = False
    """Whether it is one of the arena's own."""
    plays: str | None = None
    """The tables that it declares, as the table `version` has them."""
    suspensions: str | None = None
    """The variants in which it is suspended, as the table `version` has them."""

    @property
    def hosted(self) -> bool:
        """Whether the referee starts its program."""
        return self.source == HOSTED

    @property
    def tables(self) -> DeclaredTables:
        """The tables that it declares to play."""
        return declared_tables.from_text(self.plays)

    @property
    def suspended_in(self) -> Mapping[str, VariantSuspension]:
        """The variants in which it is suspended while it plays others."""
        return variant_suspensions.read(self.suspensions)

    def can_play(self, variant: str, seats: int) -> bool:
        """Return whether it plays a table: it declares it, and is not suspended in its variant."""
        return self.tables.include(variant, seats) and variant not in self.suspended_in

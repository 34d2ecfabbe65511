"""One version of a bot, as tournaments enter it."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bot_registry.version_states import ACTIVE, HOSTED


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

    @property
    def hosted(self) -> bool:
        """Whether the referee starts its program."""
        return self.source == HOSTED

"""Terms: the version of the rules that a tournament is planned by, and who its entries belong to.

    version   several matches of one deal   tables               when a stop rule looks             a Swiss is paired
    1         all hosted bots               of any entries       after each 64 matches              by `earlier_plans`
    2         the house's bots only         rated ones never     after 16 sets of each entry,       as in 1
                                            seat two bots of     then each time that 8 sets, or
                                            one owner            an eighth of all so far, have
                                                                 been added
    3         as in 2                       as in 2              as in 2                            by `pairing`, both in
                                                                                                    `arena.scheduling.swiss_pairing`

From version 3 on, a match that several bots are away from is lost by all of them, and half a set that a withdrawal broke
off does not count.

A tournament keeps the version that it began with: its matches, and the checks of its archive, never change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

PLAN_VERSION = 3
"""The version by which tournaments begin now."""

Groups: TypeAlias = tuple[int | None, ...]
"""By entry, a number that it shares with the entries of the same owner; None for the house's bots, which have no owner."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a plan besides its rules; `hosted` says for each entry whether the arena starts its program.

    `groups` is empty in plans of version 1, which do not know owners.
    """

    version: int = PLAN_VERSION
    hosted: tuple[bool, ...] = ()
    groups: Groups = ()
    rated: bool = False

    @property
    def may_share(self) -> tuple[bool, ...]:
        """Whether an entry may play one deal several times.

        Two processes of one program on one machine can always signal to each other, by load or by the page cache: so
        a program that is not our own could know from one match what is hidden in the other.
        """
        if self.version == 1:
            return self.hosted
        return tuple(group is None for group in self.groups)

    @property
    def counts_absences(self) -> bool:
        """Whether a match from which several bots are absent is lost by all of them, and results record who was absent."""
        return self.version > 2

    @property
    def drops_broken_sets(self) -> bool:
        """Whether the played part of a set does not count if a withdrawal interrupts the set."""
        return self.version > 2

    @property
    def apart(self) -> Groups:
        """Groups of which no two entries sit at one table; empty if any entries may meet."""
        return self.groups if self.rated and self.version > 1 else ()


STANDARD = Terms()
"""Terms of a tournament that begins now, among entries without owners."""

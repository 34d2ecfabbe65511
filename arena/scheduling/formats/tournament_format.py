"""Tournament formats: each is one class in a module of its own in this folder, which names it `FORMAT`.

    check, check_entries      whether it can be played            describe      what is played, in words
    schedule                  the tables that are planned         next_round    the next round, if results decide it
    most_sets                 the maximum number of sets          rounds_shown, pairing_points, eliminations, champion: what a page shows

An instance is a format with what its organiser chose.  Its class says what the command, the API and the form of a new tournament
ask for.  `arena.scheduling.formats.format_registry` finds the classes; outside of this folder nothing compares a format's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from arena.core.errors import Refusal
from arena.core.translatable import mark, say, say_many
from arena.games.chance import Stream
from arena.scheduling import owner_separation
from arena.scheduling.decisions import DecisionState, RoundDrawn
from arena.scheduling.formats import bracket
from arena.scheduling.formats.adaptive_rounds import (
    Elimination,
    PlayedRound,
    Round,
    ShownRound,
    TableEntries,
)
from arena.scheduling.formats.bracket import BracketStage, Reached
from arena.scheduling.planning_terms import Groups, Terms
from arena.scheduling.stop_rules import Sprt, StopRule, stop_to_json, written

MAX_CYCLES = 100_000
_MAX_PARAMETER = 1000


@dataclass(frozen=True, slots=True)
class Parameter:
    """A whole number that an organiser may choose, 1 to `maximum`; `usual` says in words what is played without it.

    `name` is its field in the API and in the form, and the option of the command.  `meaning` describes it in the API and the command,
    `label` and `hint` in the form.
    """

    name: str
    label: str
    meaning: str
    usual: str
    hint: str = ""
    maximum: int = _MAX_PARAMETER


CYCLES = Parameter(
    "cycles",
    mark("Cycles"),
    "How often everybody meets everybody; with a stop rule, at most so often",
    "1",
    mark("How many times every pairing is played; with a stop rule, the maximum."),
    MAX_CYCLES,
)


ROUNDS = Parameter(
    "rounds",
    mark("Rounds"),
    "Rounds of a Swiss; of a race, in each of which every bot still in plays a set, at most so many",
    mark("as many as it takes to find the best"),
)


@dataclass(frozen=True)
class Format(ABC):
    """A format with what it was given; frozen.

    `cycles` are those of a design, a maximum if a stop rule may end it earlier; `given` has the other parameters by name, if
    they differ from their defaults.
    """

    name: ClassVar[str]
    """In the store, the API and the commands."""
    label: ClassVar[str]
    hint: ClassVar[str]
    """Description of the format in the form of a new tournament."""
    position: ClassVar[int]
    """Position in lists of formats."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    size_parameter: ClassVar[str] = "cycles"
    """The parameter to blame when a tournament would have too many matches."""
    extension_unit: ClassVar[Literal["cycles", "rounds"] | None] = "cycles"
    """Unit in which a running tournament can be extended; None if it cannot."""
    is_for_two_seats: ClassVar[bool] = False
    adapts: ClassVar[bool] = False
    """Whether its rounds follow from results; such a format ends by itself, and has no cycles and no stop rule."""
    is_standing: ClassVar[bool] = False
    """Whether active bots enter and leave automatically while it is played; organisers cannot choose it for a tournament."""
    has_leader: ClassVar[bool] = False
    """Whether it compares entry 0 with all others."""
    compares_versions: ClassVar[bool] = False
    """Whether superseded versions may enter."""
    has_champion: ClassVar[bool] = False
    """Whether only its champion counts as the winner; in others it is the best of the final table."""
    has_known_length: ClassVar[bool] = True
    """Whether `most_sets` is the number of sets that it plays, unless a stop rule ends it earlier."""
    standings_note: ClassVar[str] = ""
    """Note below the standings on a tournament's page."""

    cycles: int = 1
    stop: StopRule | None = None
    given: Mapping[str, int] = field(default_factory=dict)

    def check(self, seats: int) -> None:
        """Check that all of it can be.  Raises Refusal naming the field that cannot."""
        if not 1 <= self.cycles <= MAX_CYCLES:
            raise wrong("cycles", f"{self.cycles}: must be 1 to {MAX_CYCLES}")
        if self.is_for_two_seats and seats != 2:
            raise wrong("format", f"{self.name!r}: is for tables of 2 seats, not {seats}; play a round-robin")
        if self.adapts and self.cycles != 1:
            raise wrong("cycles", f"{self.cycles}: a {self.name} has none; leave it out")
        for each in self.parameters:
            value = self.given.get(each.name)
            if value is not None and not 1 <= value <= each.maximum:
                raise wrong(each.name, f"{value}: must be 1 to {each.maximum}")
        if self.stop is not None and self.adapts:
            raise wrong("stop", f"{written(self.stop)}: a {self.name} ends by itself; leave it out")
        if isinstance(self.stop, Sprt) and seats != 2:
            raise wrong(
                "stop", f"{written(self.stop)}: compares two versions at tables of 2 seats, not {seats}"
            )

    def check_entries(self, entries: int, seats: int, groups: Groups = ()) -> None:
        """Check that this number of entries can play it, with no two of a group at one table.  Raises Refusal."""
        if entries < seats:
            raise Refusal(
                "too_few_bots",
                say(
                    "bots: {entries} entered; a table has {seats} seats, so enter at least {seats}",
                    entries=entries,
                    seats=seats,
                ),
                field="bots",
            )
        if seats > 2 and owner_separation.is_crowded(groups):
            self._check_owners(seats, groups)

    def _check_owners(self, seats: int, groups: Groups) -> None:
        """Check that bots of one owner need not sit together; at two seats their tables are played, and not rated."""
        found = owner_separation.owners(groups)
        if found < seats:
            raise one_owner(
                say(
                    "bots: they have {owners} owners, each house bot counted as one; at a rated table of {seats} seats"
                    " no two bots have one owner. Enter bots of others in place of some, or make the tournament unrated",
                    owners=found,
                    seats=seats,
                )
            )

    @abstractmethod
    def schedule(
        self, entries: int, seats: int, course: DecisionState, secret: bytes, groups: Groups = ()
    ) -> Sequence[TableEntries]:
        """Return all tables that are planned so far, by the number of their set.

        At more than two seats no two entries of one of the `groups` (`arena.scheduling.planning_terms`) sit together.
        """

    @abstractmethod
    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:
        """Count the sets if no stop rule ends it and every tie is as long as it can be."""

    def cycles_to_decide(self, entries: int, seats: int, groups: Groups = ()) -> int:
        """Return after how many cycles each entry has played as many sets as a stop rule wants to see."""
        del entries, seats, groups
        return 1

    def next_round(
        self,
        entries: int,
        seats: int,
        course: DecisionState,
        played: Sequence[PlayedRound],
        stream: Stream,
        terms: Terms,
    ) -> Round | None:
        """Draw the next round, where it follows from the results of those before, or None if there is none.

        The stream is the round's own; entries of one of the groups of the `terms` do not meet if that can be avoided.
        """
        del entries, seats, course, played, stream, terms
        return None

    def why_over(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> str:
        """Return in words, for the log of decisions, why there is no further round."""
        del entries, course, played
        return "all rounds are played"

    @abstractmethod
    def describe(self, course: DecisionState, names: Sequence[str]) -> str:
        """Return in words what is played, extensions included: `Swiss, 5 rounds`; `names` are those of the entries."""

    @classmethod
    def describe_more(cls, more: int) -> str:
        """Return a sentence about `more` cycles or rounds being allowed."""
        return say_many("{number} more cycle was allowed", "{number} more cycles were allowed", more)

    def rounds_shown(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[ShownRound, ...]:
        """Return the rounds as a page shows them; empty for a format without rounds."""
        del entries, course, played
        return ()

    def count_rounds(self, entries: int, drawn: Sequence[RoundDrawn]) -> int:
        """Return how many rounds these decisions drew: one each, unless the format draws several at once."""
        del entries
        return len(drawn)

    def repeated(self, rounds: Sequence[RoundDrawn]) -> tuple[TableEntries, ...]:
        """Return the tables of the last of these rounds that had met before; empty for a format that does not avoid this."""
        del rounds
        return ()

    def pairing_points(self, entries: int, played: Sequence[PlayedRound]) -> Sequence[int]:
        """Return by entry the half points by which it pairs; empty for a format that pairs by something else."""
        del entries, played
        return ()

    def eliminations(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[Elimination, ...]:
        """Return the entries eliminated at each look; empty for a format without elimination."""
        del entries, course, played
        return ()

    def champion(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> int | None:
        """Return the entry that has won; None while it is played, and for a format without a winner."""
        del entries, course, played
        return None

    @classmethod
    def bracket(cls, entries: int) -> Sequence[int | None]:
        """Return the entry at each place of the bracket, None at those that stay free; empty for a format without one."""
        del entries
        return ()

    @classmethod
    def stage_name(cls, places: int) -> str:
        """Return the name of the bracket stage in which `places` entries remain."""
        return say("Round of {places}", places=places)

    def bracket_stages(self, entries: int, rounds: Sequence[ShownRound]) -> tuple[BracketStage, ...]:
        """Return the stages of the bracket, drawn or not; none for a format without one, and before the first round."""
        return bracket.build(self.bracket(entries), rounds, self.stage_name)

    def reached(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> Mapping[int, Reached]:
        """Return how far each entry got in the bracket; nothing for a format without one, and before the first round."""
        if not self.bracket(entries):
            return {}
        stages = self.bracket_stages(entries, self.rounds_shown(entries, course, played))
        return bracket.reached(stages, entries, self.champion(entries, course, played))

    def to_json(self) -> dict[str, Any]:
        """Return the stop rule and the parameters given, for the store and for the digest of the seeds; name and cycles are stored separately."""
        stop = {} if self.stop is None else {"stop": stop_to_json(self.stop)}
        return {**stop, **self.given}  # in this order: exports have the same bytes for ever


def more_rounds(more: int) -> str:
    """Return a sentence about `more` rounds being allowed."""
    return say_many("{number} more round was allowed", "{number} more rounds were allowed", more)


def one_owner(message: str) -> Refusal:
    """Return the refusal of entries that would have to sit at a table with others of their owner."""
    return Refusal("one_owner", message, field="bots")


def wrong(name: str, message: str) -> Refusal:
    """Return the refusal of a field; the message begins with its value."""
    return Refusal(f"{name}_invalid", say("{field} {message}", field=name, message=message), field=name)

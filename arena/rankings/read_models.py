"""What the services give back about tournaments, matches and ratings: flat values, ready to be shown.

Times are seconds since the epoch, UTC; secrets, seeds and commitments are hex digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from arena.storage.record_compression import unpack

TournamentState = Literal["created", "open", "running", "paused", "finished", "cancelled"]
MatchState = Literal["open", "hidden", "finished", "annulled", "dropped"]
"""`open`: no result yet; `hidden`: over, but its set is not; `finished`: all is public; `annulled`: never finished.

`dropped`: it is not played any more, since a bot has left, the tournament was cancelled, or a ladder's bot was not there.
"""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A version that takes part; entries are numbered from 0 in the order in which they were named.

    `left` is None while it plays; when it has left, `kept` or `annulled`: what became of its results.
    """

    number: int
    bot: str
    version: str
    left: Literal["kept", "annulled"] | None


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A bot in the table of a tournament.

    Wins, draws and losses count the seats it met: at a table of four, a win is three wins.  Points are wins and half
    the draws.  `elo` and the ranks that it may really have are None before its first result; `error` is the half width of the
    95 % interval, None also where the results are not known by sets.  `component` numbers groups of bots that never met (0 the
    first): their Elo are not compared, and ranks count inside a component.
    """

    rank: int
    entry: int
    bot: str
    version: str
    elo: float | None
    error: float | None
    rank_low: int | None
    rank_high: int | None
    provisional: bool
    matches: int
    points: float
    wins: int
    draws: int
    losses: int
    faults: int
    component: int
    verified: bool
    """Whether the arena knows what played: it started it itself."""


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """How one bot did against another: from the row's side."""

    wins: int
    draws: int
    losses: int

    @property
    def points(self) -> float:
        """Give wins and half the draws."""
        return self.wins + self.draws / 2


@dataclass(frozen=True, slots=True)
class TieRow:
    """Two entries that met, by their numbers, with the points of each; `winner` is who went on in a knockout."""

    entries: tuple[int, ...]
    points: tuple[float, ...]
    winner: int | None
    sets: int


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a Swiss or a knockout, counted from 1; `byes` are the entries that went on without playing."""

    number: int
    name: str
    ties: tuple[TieRow, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PointsRow:
    """What an entry has in a Swiss: a match won is a point, a bye is two."""

    entry: int
    points: float
    byes: int


@dataclass(frozen=True, slots=True)
class SprtRow:
    """How a test between two versions stands: its LLR between the bounds at which `elo0` and `elo1` are accepted.

    It may go beyond a bound and come back before the test looks, after `next_look` sets; None when it looks no more.
    `accepted` is None until it has ended by that.
    """

    sets: int
    llr: float
    low: float
    high: float
    elo0: float
    elo1: float
    accepted: str | None
    next_look: int | None


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision about a tournament, in words; `basis` is the SHA-256 of the results that it follows from, if it does."""

    number: int
    kind: str
    words: str
    basis: str | None
    at: float


@dataclass(frozen=True, slots=True)
class LoggedDecision(DecisionRow):
    """A decision as it stands in the log, with all its fields."""

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in the list of them."""

    id: int
    name: str
    game: str
    variant: str
    seats: int
    format: str
    state: TournamentState
    matches_total: int
    matches_done: int
    created_at: float
    finished_at: float | None


@dataclass(frozen=True, slots=True)
class TournamentHead:
    """What must be known of a tournament to steer it."""

    id: int
    name: str
    game: str
    format: str
    rules: str
    priority: int
    state: TournamentState
    entries: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """All about one tournament.

    `time` is written `BASE+INC`.  `secret` is None until `secret_opens_at`: the tournament is over, and `delay_s` has passed.
    `crosstable[i][j]` is how the bot of `standings[i]` did against that of `standings[j]`, None where they have not met; it has
    the first 50 of the standings.
    `pool` is the key of the public Elo table it counts for, None if it counts for its own table only; `own_pairs` says
    whether bots of one owner meet in it all the same, which counts for the table of the tournament only.
    `waiting_for` names the bots, `name@version`, that were not there when their matches were to be played.
    `rules` says in words what is played, `decisions` what was decided, the newest first and perhaps not all.  `rounds` and
    `points` are a Swiss's and a knockout's, `champion` is the number of the entry that has won a knockout, `sprt` how a test
    between two versions stands.
    """

    id: int
    name: str
    game: str
    variant: str
    seats: int
    format: str
    rules: str
    priority: int
    options: Mapping[str, int]
    time: str
    cycles: int
    trusted: bool
    pool: str | None
    own_pairs: bool
    state: TournamentState
    sets_total: int
    matches_total: int
    matches_done: int
    commitment: str
    delay_s: int
    secret: str | None
    secret_opens_at: float | None
    waiting_for: tuple[str, ...]
    entries: tuple[EntryRow, ...]
    standings: tuple[StandingRow, ...]
    crosstable: tuple[tuple[CrosstableCell | None, ...], ...]
    rounds: tuple[RoundRow, ...]
    points: tuple[PointsRow, ...]
    champion: int | None
    sprt: SprtRow | None
    decisions: tuple[DecisionRow, ...]
    algorithm: str
    input_sha256: str
    created_at: float
    started_at: float | None
    finished_at: float | None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a match; place and score are None while it has no result (and the score after a fault).

    `name` is what the bot is called in its tournament: `lc`, or `lc@4` if other versions of it are entered, too.
    """

    seat: int
    name: str
    bot: str
    version: str
    verified: bool
    place: int | None
    score: int | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list of them."""

    tournament_id: int
    tournament: str
    game: str
    set: int
    match: int
    id: str
    state: MatchState
    end: str | None
    seats: tuple[SeatRow, ...]
    stored_at: float | None


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """An attempt that the platform failed; its deal is published and will never be played again."""

    attempt: int
    id: str
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class MatchPage:
    """All that may be known of one match now.

    `seed` and `packed_record` are None until `opens_at`, which is not known before the match is over, or its set, where the
    matches of that have one deal: `shared` says so.  `voids` are earlier attempts with deals of their own, empty until then.
    `live` is whether its public steps may be shown before that.  `absent` says which bot a ladder's match was not played for,
    and why.  `fault_incident` names what the fault came of if that may have ended other matches, too, and
    `incident_matches` counts them all, this one included.
    """

    tournament_id: int
    tournament: str
    set: int
    match: int
    id: str
    game: str
    variant: str
    options: Mapping[str, int]
    time: str
    state: MatchState
    end: str | None
    fault_seat: int | None
    fault_kind: str | None
    fault_incident: str | None
    incident_matches: int
    seats: tuple[SeatRow, ...]
    commitment: str
    seed: str | None
    packed_record: bytes | None
    opens_at: float | None
    delay_s: int
    live: bool
    shared: bool
    voids: tuple[VoidAttempt, ...]
    stored_at: float | None
    absent: str | None = None

    @property
    def record_kept(self) -> bool:
        """Whether the record is not deleted yet: the operator may keep records for so long only."""
        return self.state != "finished" or self.packed_record is not None

    @property
    def record(self) -> str | None:
        """Return the record, a JSON document; each call unpacks it.  Raises RecordUnreadable."""
        return None if self.packed_record is None else unpack(self.packed_record)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A version in an Elo table; ranks count inside a component, equal Elo share the better rank.

    `error` is the half width of the 95 % interval, relative to the mean of the component; `rank_low` to `rank_high` are the ranks
    that it may really have.
    """

    rank: int
    bot: str
    version: str
    elo: float
    error: float
    rank_low: int
    rank_high: int
    matches: int
    provisional: bool
    component: int
    verified: bool
    """Whether the arena knows what played: it started it itself."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The Elo table of a pool; bots of different components never met and are not compared.

    `components` counts the groups.  Before the first refresh there are no rows and `computed_at` is None.
    """

    pool: str
    game: str
    variant: str
    rows: tuple[RatingRow, ...]
    components: int
    algorithm: str
    input_sha256: str
    computed_at: float | None


@dataclass(frozen=True, slots=True)
class SuperiorityTable:
    """How likely each of some bots is the stronger of each two: `chances[i][j]`, 0 to 1, that `bots[i]` is stronger than `bots[j]`.

    `bots` are named `name@version`, best first.  A chance is None between bots that never met, and where the results are not known by
    sets; there are none at all for more than 200 bots.
    """

    bots: tuple[str, ...]
    chances: tuple[tuple[float | None, ...], ...]
    algorithm: str
    input_sha256: str


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The last rating of an hour, computed `at`: seconds since the epoch, UTC.  It holds until the next point."""

    at: float
    elo: float
    error: float
    matches: int


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """The ratings that a version had in a pool, the oldest first; hours in which nothing changed have no point."""

    bot: str
    version: str
    points: tuple[HistoryPoint, ...]


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """What the seats of a table are worth, measured on the last whole sets of a pool with so many seats.

    A share is that of its pairs which a seat wins, 0 to 1, ½ being even; errors are half widths of 95 % intervals.
    """

    seats: int
    sets: int
    shares: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SetSavings:
    """What its sets have saved a tournament: one match of them tells as much as `ratio` matches without.

    `low` to `high` is the 95 % interval of the ratio, `saved` how many matches more the same certainty would have taken; below 0,
    sets did harm.  Measured on the last `sets` whole sets with a common deal.
    """

    ratio: float
    low: float
    high: float
    saved: int
    sets: int


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A pool in the list of them; its key is `game/variant`."""

    key: str
    game: str
    variant: str
    versions: int
    computed_at: float | None

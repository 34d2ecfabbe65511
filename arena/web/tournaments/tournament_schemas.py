"""The API's models: the same names as the pages, the records and the command line use."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arena.web.http.response_model import Model
from arena.web.tournaments.round_schemas import Decision, Points, Round, Sprt

TournamentState = Literal["created", "open", "running", "paused", "finished", "cancelled"]
MatchState = Literal["open", "hidden", "finished", "annulled", "dropped"]


class Option(Model):
    """A number that a match may set."""

    name: str = Field(description="Its name.", examples=["hands"])
    low: int = Field(description="The lowest value.", examples=[1])
    high: int = Field(description="The highest value.", examples=[9])
    standard: int = Field(description="The value if none is given.", examples=[3])
    meaning: str = Field(description="What it does.", examples=["hands of a match"])


class Variant(Model):
    """A named form of a game, with its standard table first."""

    name: str = Field(description="Its name.", examples=["standard"])
    seats: list[int] = Field(description="The seat counts it is played with.", examples=[[2]])
    options: list[Option] = Field(description="The options it has at its smallest table.")


class Game(Model):
    """A game of this arena."""

    id: str = Field(description="Its id, as everywhere.", examples=["lost_cities"])
    title: str = Field(description="Its name for people.", examples=["Lost Cities"])
    rules_version: int = Field(description="Changes when the same seed and actions would give another match.")
    variants: list[Variant] = Field(description="The standard one first.")


class Pool(Model):
    """A game and variant whose results make one public Elo table."""

    key: str = Field(description="GAME/VARIANT.", examples=["lost_cities/standard"])
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    variant: str = Field(description="The variant's name.", examples=["standard"])
    versions: int = Field(description="How many versions of bots are rated in it.", examples=[5])
    computed_at: float | None = Field(
        description="When the table was computed: seconds since the epoch, UTC."
    )


class Rating(Model):
    """A row of an Elo table."""

    rank: int = Field(
        description="1 for the best; equal Elo share it; counts inside a component.", examples=[1]
    )
    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    verified: bool = Field(description="Whether the arena knows what played: it started it itself.")
    elo: float = Field(description="Elo, to 0.1; the pool's `greedy` version 1 is 1500.", examples=[1500.0])
    error: float = Field(
        description="Half width of the 95 % interval, relative to the mean of the component.", examples=[12.3]
    )
    rank_low: int = Field(description="The best rank that it may really have, at 95 %.", examples=[1])
    rank_high: int = Field(description="The worst rank that it may really have, at 95 %.", examples=[3])
    matches: int = Field(description="Rated matches.", examples=[400])
    provisional: bool = Field(description="Fewer than 30 matches, or an error of 100 or more.")
    component: int = Field(
        description="Numbers the groups of bots that never met: not comparable.", examples=[0]
    )


class RatingTable(Model):
    """The Elo table of a pool, and what it was computed from."""

    pool: str = Field(description="GAME/VARIANT.", examples=["lost_cities/standard"])
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    variant: str = Field(description="The variant's name.", examples=["standard"])
    rows: list[Rating] = Field(description="Best first.")
    components: int = Field(description="How many groups of bots there are that never met.", examples=[1])
    algorithm: str = Field(description="The version of the computation.")
    input_sha256: str = Field(description="SHA-256 of the pair and set totals that it was computed from.")
    computed_at: float | None = Field(description="Seconds since the epoch, UTC; null before the first time.")


class TournamentSummary(Model):
    """A tournament in the list of them."""

    id: int = Field(description="Its number.", examples=[1])
    name: str = Field(description="Its name.", examples=["Lost Cities, 5 bots, 2 seats"])
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    variant: str = Field(description="The variant's name.", examples=["standard"])
    seats: int = Field(description="Seats at a table.", examples=[2])
    format: str = Field(
        description="round-robin, gauntlet, swiss, knockout or ladder; of a trial, its kind.",
        examples=["swiss"],
    )
    state: TournamentState = Field(
        description="created, open (for entries), running, paused, finished or cancelled."
    )
    matches_total: int = Field(description="Matches that are planned so far.", examples=[200])
    matches_done: int = Field(description="Matches that are over.", examples=[120])
    created_at: float = Field(description="Seconds since the epoch, UTC.", examples=[1763726400.0])
    finished_at: float | None = Field(description="Seconds since the epoch, UTC; null until it is over.")


class Entry(Model):
    """A version that takes part."""

    number: int = Field(description="Counted from 0, in the order in which they were named.", examples=[0])
    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    left: Literal["kept", "annulled"] | None = Field(
        description="If it has left, what became of its results; null while it plays."
    )


class Standing(Model):
    """A bot in a tournament's table; wins, draws and losses count the seats it met."""

    rank: int = Field(description="1 for the best; counts inside a component.", examples=[1])
    entry: int = Field(description="The entry's number.", examples=[0])
    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    verified: bool = Field(description="Whether the arena knows what played: it started it itself.")
    elo: float | None = Field(description="Elo from this tournament alone; null before its first result.")
    error: float | None = Field(
        description="Half width of the 95 % interval, relative to the mean of the component; null where not known.",
        examples=[12.3],
    )
    rank_low: int | None = Field(description="The best rank that it may really have, at 95 %.", examples=[1])
    rank_high: int | None = Field(
        description="The worst rank that it may really have, at 95 %.", examples=[3]
    )
    provisional: bool = Field(description="Fewer than 30 matches, or an error of 100 or more.")
    matches: int = Field(description="Matches played.", examples=[80])
    points: float = Field(description="Wins and half the draws.", examples=[55.5])
    wins: int = Field(description="Seats that it finished ahead of.", examples=[55])
    draws: int = Field(description="Seats that it shared a place with.", examples=[1])
    losses: int = Field(description="Seats that finished ahead of it.", examples=[24])
    faults: int = Field(description="Matches that it ended by a fault.", examples=[0])
    component: int = Field(description="Numbers the groups of bots that have not met.", examples=[0])


class Cell(Model):
    """How the bot of the row did against that of the column."""

    wins: int = Field(description="Won by the row's bot.", examples=[12])
    draws: int = Field(description="Shared.", examples=[0])
    losses: int = Field(description="Lost by the row's bot.", examples=[8])


class Tournament(TournamentSummary):
    """All about one tournament."""

    rules: str = Field(description="What is played, in words.", examples=["Swiss, 5 rounds"])
    priority: int = Field(description="1 to 100; with twice the priority it is played twice as much.")

    options: dict[str, int] = Field(description="Every option of the game.", examples=[{"hands": 3}])
    time: str = Field(description="Time control, BASE+INC in seconds.", examples=["30+0.1"])
    cycles: int = Field(description="How often the schedule is gone through.", examples=[10])
    trusted: bool = Field(
        description="Whether its bots are trusted not to use what they know of a deal, so that all sets share theirs."
    )
    pool: str | None = Field(description="The pool it counts for; null: for its own table only.")
    own_pairs: bool = Field(
        description="Whether bots of one owner meet in it, which counts for its own table only.",
        examples=[False],
    )
    sets_total: int = Field(description="Sets in all.", examples=[100])
    commitment: str = Field(description="SHA-256 of the secret, hex; shown before anything is played.")
    delay_s: int = Field(
        description="Seconds after a match, or the set that shares its deal, is over before its records and seeds are shown.",
        examples=[0],
    )
    secret: str | None = Field(
        description="The secret, hex; null until the tournament is over, and the delay has passed."
    )
    secret_opens_at: float | None = Field(
        description="When the secret is shown: seconds since the epoch, UTC; null until the tournament is over."
    )
    waiting_for: list[str] = Field(
        description="Bots, NAME@VERSION, that were not there when their matches were to be played.",
        examples=[[]],
    )
    entries: list[Entry] = Field(description="Who takes part.")
    standings: list[Standing] = Field(description="Best first.")
    crosstable: list[list[Cell | None]] = Field(
        description="Rows and columns in the standings' order, of the first 50; null: not met."
    )
    rounds: list[Round] = Field(description="Of a Swiss or a knockout, the rounds so far; else none.")
    points: list[Points] = Field(description="Of a Swiss, the best first; else none.")
    champion: int | None = Field(description="The number of the entry that has won a knockout.")
    sprt: Sprt | None = Field(description="How a test between two versions stands; null where there is none.")
    decisions: list[Decision] = Field(
        description="What was decided, the newest first; `decisions` of the tournament lists all."
    )
    algorithm: str = Field(description="The version of the Elo computation.")
    input_sha256: str = Field(
        description="SHA-256 of the pair and set totals that the Elo was computed from."
    )
    started_at: float | None = Field(description="Seconds since the epoch, UTC; null before the start.")


class Seat(Model):
    """A seat of a match."""

    seat: int = Field(description="Counted from 0, clockwise.", examples=[0])
    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    verified: bool = Field(description="Whether the arena knows what played: it started it itself.")
    place: int | None = Field(description="1 for the best; null without a result.", examples=[1])
    score: int | None = Field(
        description="The score; null without a result, and after a fault.", examples=[41]
    )


class MatchSummary(Model):
    """A match in a list of them."""

    tournament_id: int = Field(description="The tournament's number.", examples=[1])
    tournament: str = Field(description="The tournament's name.")
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    set: int = Field(description="The set, counted from 0.", examples=[0])
    match: int = Field(description="The match of the set, counted from 0.", examples=[1])
    id: str = Field(description="The match's id, as its record has it.")
    state: MatchState = Field(
        description="open: no result yet; hidden: over, but its set is not, or the tournament's delay has not passed; finished: all is public; "
        "annulled: the platform could not finish it; dropped: it is not played any more."
    )
    end: str | None = Field(
        description="completed, turn limit or fault; annulled; absent: a ladder's bot was not there; null without a result."
    )
    seats: list[Seat] = Field(description="In seat order.")
    stored_at: float | None = Field(description="Seconds since the epoch, UTC.")


class VoidAttempt(Model):
    """An attempt that the platform failed: its deal is published and never played again."""

    attempt: int = Field(description="Counted from 0.")
    id: str = Field(description="The match id that it had.")
    commitment: str = Field(description="Its commitment, hex.")
    seed: str = Field(description="Its seed, hex.")


class Match(MatchSummary):
    """All that may be known of one match now; its seed, and its record, only when it is open: `opens_at`."""

    variant: str = Field(description="The variant's name.", examples=["standard"])
    options: dict[str, int] = Field(description="Every option of the game.", examples=[{"hands": 3}])
    time: str = Field(description="Time control, BASE+INC in seconds.", examples=["30+0.1"])
    fault_seat: int | None = Field(description="The seat at fault, if a fault ended it.")
    fault_kind: str | None = Field(description="illegal action, timeout, crash or protocol.")
    fault_incident: str | None = Field(
        description="Names what the fault came of, if that may have ended other matches, too: one death of a process, one lost connection."
    )
    incident_matches: int = Field(
        description="How many matches that has ended, this one included; 0 without one."
    )
    commitment: str = Field(
        description="SHA-256 over match id and seed, hex: published before the first decision."
    )
    seed: str | None = Field(description="The seed, hex; null until it is open.")
    opens_at: float | None = Field(
        description="When seed and record are shown: seconds since the epoch, UTC; null until the match is over, or its"
        " whole set, if `shared`."
    )
    absent: str | None = Field(
        description="Which bot a ladder's match was not played for, and why: it counts for nobody."
    )
    live: bool = Field(
        description="Whether its public steps are shown while it is played; if not, they wait like the record."
    )
    shared: bool = Field(
        description="Whether the matches of its set have one deal, so that all of them are shown together."
    )
    voids: list[VoidAttempt] = Field(description="Earlier attempts that had deals of their own.")
    record_kept: bool = Field(
        description="False if its record is deleted, since this arena keeps records for so long only."
    )

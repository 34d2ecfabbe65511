"""A store as a busy arena has it after two weeks: 1,000 bots, 200,000 matches, 50 tournaments, ratings and their history.

Tournaments, rounds and decisions are the services' own; the results of most matches are drawn from the bots' strengths and put
there in bulk, with the rows that the services would write.  The first sets of each tournament are played: they have records.
Made once, in some two minutes, and kept in bench/out until this file or the schema changes.  `bench.growth` has smaller and larger ones,
in which every match has a record: that of one which was played.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from math import exp
from pathlib import Path

from sqlalchemy import exists, func, insert, select, update

from arena.accounts import users
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation, ladders, lifecycle, plans, settlement
from arena.competition.drafts import TournamentSpec
from arena.competition.ladders import LadderRequest
from arena.competition.matches import running_totals
from arena.competition.matches.outcomes import FAULT_END, Outcome
from arena.competition.matches.results import Arrival
from arena.competition.plans import StoredPlan
from arena.games import registry
from arena.games.chance import commitment
from arena.games.kernel import SILENCE, Action, Choice, Line, Played, Talk, advance
from arena.match.record import Ending, Participant, Record, RecordedStep, to_json
from arena.rankings import public_ratings
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store, upgrade
from arena.storage.migration_chain import head
from arena.storage.schema import (
    Block,
    Bot,
    Bundle,
    MatchOutput,
    MatchResult,
    Pool,
    Rating,
    RatingPoint,
    Tournament,
    User,
    Version,
)
from arena.storage.schema import Record as StoredRecord

OUT = Path(__file__).parent / "out"
PASSWORD = "three or four words"  # noqa: S105 - of nobody who is
ADMIN, AUTHOR = "root", "author000"
BOTS = {"lost_cities": 1000, "land_unter": 60, "bottle_imp": 40, "lifeboats": 40, "teotlatolli": 40}
AUTHORS = 100
DAYS = 14
PLAYED_SETS = 2
"""Sets of each tournament that are really played."""
_FAULTS = 0.01
_HOUR_S = 3600
_LINES = ("I row.", "Not me again!", "Vote for the red one?", "…")


@dataclass(frozen=True)
class Cup:
    """A tournament to be made: `entries` of the game's bots; `share` is how much of what is planned has been played."""

    game: str
    entries: int
    seats: int = 2
    cycles: int = 1
    share: float = 1.0
    format: str = "round-robin"
    sets_each: int | None = None
    variant: str | None = None
    begin: str = "now"
    then: str = ""
    """`pause` or `cancel`, in the end."""


CUPS = (
    Cup("lost_cities", 1000, sets_each=10, cycles=4),
    Cup("lost_cities", 1000, sets_each=10, cycles=3, share=0.7),
    Cup("lost_cities", 128, format="swiss"),
    Cup("lost_cities", 64, format="knockout"),
    *(Cup("lost_cities", 300, format="gauntlet", cycles=2) for _ in range(4)),
    *(Cup("lost_cities", 60 + 20 * number) for number in range(5)),
    Cup("lost_cities", 20, cycles=5, share=0.4),
    Cup("lost_cities", 12, cycles=10, share=0.5, then="pause"),
    Cup("lost_cities", 12, cycles=3, share=0.5, then="cancel"),
    Cup("lost_cities", 30, begin="open"),
    *(Cup("land_unter", 20 + 5 * number, seats=3 + number % 3, sets_each=120) for number in range(7)),
    Cup("land_unter", 60, seats=4, sets_each=40, share=0.5),
    *(Cup("bottle_imp", 16, seats=3 + number % 2, sets_each=90) for number in range(6)),
    Cup("bottle_imp", 12, seats=2, variant="lopaka", cycles=5),
    *(Cup("lifeboats", 24, seats=3 + number % 4, sets_each=90) for number in range(7)),
    Cup("lifeboats", 24, seats=6, sets_each=40, share=0.6),
    *(Cup("teotlatolli", 12 + 4 * number) for number in range(6)),
    Cup("teotlatolli", 40, share=0.5),
)


@dataclass(frozen=True)
class Size:
    """Size of a store."""

    name: str
    bots: Mapping[str, int]
    """By game."""
    cups: tuple[Cup, ...]
    epochs: int
    rounds: int
    """Of each epoch of a ladder of all bots of Lost Cities; the last epoch goes on."""
    all_records: bool = False
    history_days: int = DAYS


BUSY = Size("busy", BOTS, CUPS, epochs=3, rounds=14)
YOUNG = Size(
    "young",
    {"lost_cities": 1000, "land_unter": 40, "bottle_imp": 40, "lifeboats": 40, "teotlatolli": 40},
    (
        Cup("lost_cities", 1000, sets_each=2),
        Cup("lost_cities", 60),
        Cup("lost_cities", 40, share=0.5),
        Cup("land_unter", 20, seats=3, sets_each=30),
        Cup("bottle_imp", 16, seats=3, sets_each=30),
        Cup("lifeboats", 24, seats=4, sets_each=20),
        Cup("teotlatolli", 20),
    ),
    epochs=1,
    rounds=1,
    all_records=True,
    history_days=1,
)
"""Some ten thousand matches."""
GROWN = Size(
    "grown",
    {"lost_cities": 4000, "land_unter": 1500, "bottle_imp": 1500, "lifeboats": 1500, "teotlatolli": 1500},
    (*(Cup("lost_cities", 1000, sets_each=10, cycles=4) for _ in range(17)), *CUPS),
    epochs=3,
    rounds=14,
    all_records=True,
    history_days=1,
)
"""Ten thousand bots, and some million matches."""


def find(size: Size = BUSY) -> Path:
    """Return the store's file; make it if it is not there yet."""
    digest = sha256(Path(__file__).read_bytes() + head().encode()).hexdigest()[:12]
    path = OUT / f"crowd-{size.name}-{digest}.sqlite3"
    if not path.exists():
        OUT.mkdir(exist_ok=True)
        for old in OUT.glob(f"crowd-{size.name}-*"):
            old.unlink()
        made = path.with_suffix(".partial")
        build(f"sqlite:///{made}", size)
        made.rename(path)
    return path


def build(url: str, size: Size = BUSY) -> None:
    """Fill a new store."""
    upgrade(url)
    store = Store.open(url)
    draw = random.Random(6)
    _people(store)
    for game, count in size.bots.items():
        _bots(store, game, count, draw)
    for cup in size.cups:
        _hold(store, cup, draw)
    _ladder(store, size, draw)
    for pool in public_ratings.pools(store):
        public_ratings.refresh(store, pool.key)
    _date(store)
    _histories(store, size, draw)
    if size.all_records:
        _copy_records(store)
    with store.write_fast() as connection:
        connection.exec_driver_sql("ANALYZE")
    store.close()


def _people(store: Store) -> None:
    users.create(store, OPERATOR, ADMIN, "admin", PASSWORD)
    users.create(store, OPERATOR, AUTHOR, "author", PASSWORD)
    rows = [
        {"name": f"author{number:03}", "role": "author", "password": None, "created_at": time.time()}
        for number in range(1, AUTHORS)
    ]
    with store.write() as session:
        session.execute(insert(User), rows)


def _bots(store: Store, game: str, count: int, draw: random.Random) -> None:
    """Add the house's bots and those of the authors; some have earlier versions, some connect from elsewhere."""
    bots.register_house(store, {game: ["random", "greedy", "search"]})
    now = time.time()
    with store.write() as session:
        owners = session.scalars(select(User.id).where(User.role == "author").order_by(User.id)).all()
        data = f"{game}, not a program".encode()
        digest = sha256(data).hexdigest()
        session.add(Bundle(sha256=digest, data=data, created_at=now))
        for number in range(count - 3):
            bot = Bot(
                game=game,
                name=f"{draw.choice(('swift', 'careful', 'lucky', 'grim'))}-{number:04}",
                house=False,
                owner_id=owners[number % len(owners)],
                created_at=now,
            )
            session.add(bot)
            session.flush()
            elsewhere = draw.random() < 0.1
            versions = 1 if elsewhere else draw.choice((1, 1, 2, 3))
            for version in range(1, versions + 1):
                session.add(
                    Version(
                        bot_id=bot.id,
                        version=str(version),
                        source=bots.DIAL_IN if elsewhere else bots.HOSTED,
                        program="" if elsewhere else f"bundle:{digest}",
                        talks=game == "lifeboats",
                        state=bots.ACTIVE if version == versions else bots.SUPERSEDED,
                        qualified=True,
                        created_at=now,
                    )
                )


def _hold(store: Store, cup: Cup, draw: random.Random) -> None:
    """Create a tournament and play its share."""
    names = [row.bot for row in bots.listing(store, cup.game) if row.state == bots.ACTIVE]
    house, others = [name for name in names if "-" not in name], [name for name in names if "-" in name]
    spec = TournamentSpec(
        game=cup.game,
        bots=(*house, *draw.sample(others, min(cup.entries, len(names)) - len(house))),
        variant=cup.variant,
        seats=cup.seats,
        cycles=cup.cycles,
        format=cup.format,
        given={"sets_each": cup.sets_each},
        begin=cup.begin,  # type: ignore[arg-type]
        secret=draw.randbytes(32),
    )
    number = creation.create(store, spec)
    if cup.begin != "now":
        return
    while True:
        plans.forget(store, number)
        stored = plans.find(store, number)
        _fill(store, stored, round(stored.plan.sets_total * cup.share), draw)
        if cup.share < 1 or not settlement.advance(store, number):
            break
    if cup.then == "pause":
        lifecycle.pause(store, number, OPERATOR)
    elif cup.then == "cancel":
        lifecycle.cancel(store, number, OPERATOR, "the wrong options")


def _ladder(store: Store, size: Size, draw: random.Random) -> None:
    ladders.start(store, LadderRequest("lost_cities", epoch_s=60.0, rest_s=0.0), OPERATOR)
    now = time.time()
    for epoch in range(size.epochs):
        for _ in range(size.rounds):
            ladders.advance(store, now)
            number = ladders.listing(store)[0].tournament
            assert number is not None
            plans.forget(store, number)
            stored = plans.find(store, number)
            _fill(store, stored, stored.plan.sets_total, draw)
        if epoch < size.epochs - 1:
            now += 61.0
            ladders.advance(store, now)


def go_on(store: Store, number: int) -> None:
    """Store the results of one more set of a running tournament, if there is one."""
    with store.read() as session:
        done = select(func.max(MatchResult.set_number)).where(MatchResult.tournament_id == number)
        last = session.scalar(done) or 0
    stored = plans.find(store, number)
    _fill(store, stored, min(last + 2, stored.plan.sets_total), random.Random(last))


def _fill(store: Store, stored: StoredPlan, sets: int, draw: random.Random) -> None:
    """Store results of a tournament's first sets, up to a number; those are really played."""
    number = stored.tournament_id
    with store.read() as session:
        mine = MatchResult.tournament_id == number
        last = session.scalar(select(func.max(MatchResult.set_number)).where(mine))
    first = 0 if last is None else last + 1
    for planned in (match for at in range(first, min(sets, PLAYED_SETS)) for match in stored.plan.set(at)):
        record = to_json(play(stored, planned, draw))
        arrival = Arrival(planned.set, planned.match, planned.attempt, record)
        settlement.add_results(store, number, [arrival])
    rest = (match for at in range(max(first, PLAYED_SETS), sets) for match in stored.plan.set(at))
    drawn = [(planned, _draw_outcome(stored, planned, draw)) for planned in rest]
    rows = [_row(number, planned, outcome) for planned, outcome in drawn]
    with store.write_fast() as connection:
        running_totals.add(connection, stored, drawn)
        if rows:
            connection.execute(insert(MatchResult), rows)
        counted = Tournament.matches_done + len(rows)
        connection.execute(update(Tournament).where(Tournament.id == number).values(matches_done=counted))
        over = Block.first_set + Block.sets <= sets
        connection.execute(update(Block).where(Block.tournament_id == number, over).values(done=True))


def _strength(name: str) -> float:
    """Return a bot's strength in units of e, a standard deviation of 1: the same in every tournament."""
    return random.Random(name).gauss(0, 1)


def _draw_outcome(stored: StoredPlan, planned: PlannedMatch, draw: random.Random) -> Outcome:
    """Draw a result as strengths have it (Plackett–Luce), or a fault."""
    seats = len(planned.seats)
    if draw.random() < _FAULTS:
        at = draw.randrange(seats)
        kind = draw.choice(("timeout", "crash", "illegal action"))
        return Outcome(tuple(seats if seat == at else 1 for seat in range(seats)), None, FAULT_END, at, kind)
    drawn = [exp(_strength(stored.entries[entry].bot)) / draw.expovariate(1) for entry in planned.seats]
    order = sorted(range(seats), key=lambda seat: -drawn[seat])
    places = tuple(order.index(seat) + 1 for seat in range(seats))
    return Outcome(places, tuple(60 - 11 * place + draw.randrange(11) for place in places), "completed")


def _row(tournament: int, planned: PlannedMatch, outcome: Outcome) -> dict[str, object]:
    return {
        "tournament_id": tournament,
        "set_number": planned.set,
        "match_number": planned.match,
        "attempt": planned.attempt,
        "match": planned.id,
        "end": outcome.end,
        "places": " ".join(map(str, outcome.places)),
        "scores": None if outcome.scores is None else " ".join(map(str, outcome.scores)),
        "fault_seat": outcome.fault_seat,
        "fault_kind": outcome.fault_kind,
        "stored_at": time.time(),
    }


def play(stored: StoredPlan, planned: PlannedMatch, draw: random.Random) -> Record:
    """Play a match at random, in this process."""
    game = registry.find(stored.game)
    talks = [game.has_talk] * len(planned.seats)
    setup = game.setup(len(planned.seats), variant=stored.variant, options=stored.options, talks=talks)
    state, first = game.new(setup, planned.seed)
    steps = [RecordedStep(step) for step in first]
    together = 0
    while decisions := game.to_act(state):
        answers: list[Action | Line] = []
        forced = set()
        for decision in decisions:
            if isinstance(decision, Talk):
                answers.append(Line(draw.choice(_LINES)) if draw.random() < 0.1 else SILENCE)
            else:
                legal = game.legal(state, decision.seat)
                answers.append(draw.choice(legal))
                if isinstance(decision, Choice) and len(legal) == 1:
                    forced.add(decision.seat)
        state, more, together = advance(game, state, answers, together)
        for step in more:
            ms = (0.0 if step.seat in forced else 1.5) if isinstance(step, Played) else None
            steps.append(RecordedStep(step, ms))
    ended = game.result(state)
    assert ended is not None
    entries = [stored.entries[entry] for entry in planned.seats]
    return Record(
        match=planned.id,
        game=stored.game,
        variant=stored.variant,
        options=setup.options,
        seed=planned.seed,
        commitment=commitment(planned.id, planned.seed),
        seats=tuple(Participant(entry.bot, entry.version, game.has_talk) for entry in entries),
        steps=tuple(steps),
        result=Ending(ended.places, ended.end, ended.scores, ended.detail),
    )


def _date(store: Store) -> None:
    """Spread everything over two weeks, in the order in which it came; and let hosted bots have printed something."""
    now = time.time()
    with store.write() as session:
        count = session.scalar(select(func.max(MatchResult.id))) or 1
        at = now - DAYS * 86400 * (1 - MatchResult.id * 1.0 / count)
        session.execute(update(MatchResult).values(stored_at=at))
        for tournament in session.scalars(select(Tournament)):
            ids = select(func.min(MatchResult.stored_at), func.max(MatchResult.stored_at))
            began, ended = session.execute(ids.where(MatchResult.tournament_id == tournament.id)).one()
            if began is not None:
                tournament.created_at, tournament.started_at = began - 600, began - 300
                tournament.finished_at = None if tournament.finished_at is None else ended
        newest = session.scalars(select(MatchResult.id).order_by(MatchResult.id.desc()).limit(2000))
        rows = [{"result_id": each, "seat": 0, "stderr": b"thinking\n" * 20, "dropped": 0} for each in newest]
        session.execute(insert(MatchOutput), rows)


def _histories(store: Store, size: Size, draw: random.Random) -> None:
    """Store a history of each rating, hour by hour."""
    hour = int(time.time() // _HOUR_S)
    with store.write() as session:
        rated = session.execute(
            select(Rating.pool_id, Rating.version_id, Rating.elo, Rating.error, Rating.matches, Pool.game)
            .join(Pool, Pool.id == Rating.pool_id)
            .order_by(Rating.pool_id, Rating.version_id)
        ).all()
        rows = (
            {
                "pool_id": pool,
                "version_id": version,
                "hour": hour - back,
                "elo": round(elo + draw.gauss(0, 3) * back**0.5, 1),
                "error": error * (1 + back / 24),
                "matches": max(1, matches - back),
            }
            for pool, version, elo, error, matches, game in rated
            for back in range(1, 24 * size.history_days, 4 if game == "lost_cities" else 1)
        )
        while some := list(islice(rows, 10_000)):
            session.execute(insert(RatingPoint), some)


def _copy_records(store: Store) -> None:
    """Store a record for each match that has none, copied from another match of its tournament: real records are as large."""
    with store.write() as session:
        played = session.execute(
            select(MatchResult.tournament_id, func.min(MatchResult.id))
            .join(StoredRecord, StoredRecord.result_id == MatchResult.id)
            .group_by(MatchResult.tournament_id)
        ).all()
        for tournament, example in played:
            data = select(StoredRecord.data).where(StoredRecord.result_id == example).scalar_subquery()
            lacking = select(MatchResult.id, data).where(
                MatchResult.tournament_id == tournament,
                ~exists().where(StoredRecord.result_id == MatchResult.id),
            )
            session.execute(insert(StoredRecord).from_select(("result_id", "data"), lacking))


if __name__ == "__main__":
    began = time.monotonic()
    if len(sys.argv) > 1:
        build(sys.argv[1])
    else:
        print(find())
    print(f"{time.monotonic() - began:.0f} s")

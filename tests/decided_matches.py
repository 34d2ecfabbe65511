"""What the services' tests play with: house bots, tournaments of them, and records of their matches.

A record here is one whose match was not played, only decided: the services look at what a match was given and how it
ended.  Whole matches are in test_whole_matches.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import update

from arena.accounts import actors, users
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bot_registry.bots import NewToken
from arena.competition import creation, settlement
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.competition.matches.blocks import Block, BlockKey, BlockMatch
from arena.competition.matches.outcomes import RecordMismatch
from arena.competition.matches.results import Arrival
from arena.games import chance
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.storage.schema import Bot, Bundle, Version

NAMES = ("greedy", "random", "rusher", "counter", "hoarder", "cautious")
SECRET = bytes(range(32))
Places = Callable[[BlockMatch], Sequence[int]]


def new_tournament(
    store: Store, game: str = "lost_cities", names: Sequence[str] = NAMES[:3], **spec: Any
) -> TournamentPage:
    """Create a tournament of house bots."""
    bots.register_house(store, {game: NAMES})
    return tournaments.page(
        store, creation.create(store, TournamentSpec(game, tuple(names), **{"secret": SECRET, **spec}))
    )


def alphabetical(match: BlockMatch) -> list[int]:
    """The bot whose name comes first wins."""
    order = sorted(seat.bot for seat in match.seats)
    return [order.index(seat.bot) + 1 for seat in match.seats]


def record(block: Block, match: BlockMatch, places: Sequence[int], /, **changes: Any) -> str:
    """Write a record of a match that ended like this."""
    document = {
        "format": "arena-match/1",
        "match": match.id,
        "game": block.game,
        "variant": block.variant,
        "options": dict(block.options),
        "seed": match.seed.hex(),
        "commitment": chance.commitment(match.id, match.seed).hex(),
        "seats": [{"bot": seat.bot, "version": seat.version} for seat in match.seats],
        "steps": [{"chance": "deal", "outcome": ["R2", ""]}],
        "result": {
            "scores": [10 * (len(places) - place) for place in places],
            "places": list(places),
            "end": "completed",
            "detail": {},
        },
    }
    return json.dumps({**document, **changes}, separators=(",", ":"))


def fault(seats: int, seat: int, kind: str = "timeout", message: str = "too late") -> dict[str, object]:
    """Write the result of a match that a seat ended by a fault."""
    places = [seats if i == seat else 1 for i in range(seats)]
    return {"places": places, "end": "fault", "fault": {"seat": seat, "kind": kind, "message": message}}


def add(store: Store, block: Block, match: BlockMatch, places: Sequence[int], /, **changes: Any) -> bool:
    """Store the result of a match."""
    text = record(block, match, places, **changes)
    return store_result(store, block.tournament_id, match.set, match.match, match.attempt, text)


def store_result(store: Store, tournament_id: int, *arrival: Any, **more: Any) -> bool:
    """Store the result of one match, given as its `Arrival` is, and settle what follows."""
    (added,) = settlement.add_results(store, tournament_id, [Arrival(*arrival, **more)])
    if isinstance(added, RecordMismatch):
        raise added
    return added


def claim(store: Store, worker: str = "anna", lease_s: float = 60.0, key: BlockKey | None = None) -> Block:
    """Take a block that there must be."""
    block = blocks.claim(store, worker, lease_s, key)
    assert block is not None
    return block


def play(store: Store, tournament_id: int, places: Places = alphabetical) -> None:
    """Play a tournament to its end."""
    for key in blocks.reconcile(store):
        if key.tournament_id == tournament_id:
            block = claim(store, key=key)
            for match in block.matches:
                assert add(store, block, match, places(match))
            assert blocks.finish(store, key, "anna")


def play_on(store: Store, places: Places = alphabetical) -> None:
    """Play whatever is to be played, and what is decided meanwhile, until nothing is left."""
    while (block := blocks.claim(store, "anna", 60.0)) is not None:
        for match in block.matches:
            assert add(store, block, match, places(match))
        assert blocks.finish(store, BlockKey(block.tournament_id, block.number), "anna")


def matches(store: Store) -> list[tuple[Block, BlockMatch]]:
    """Take all blocks and give all their matches."""
    return [
        (block, match)
        for key in blocks.reconcile(store)
        for block in [claim(store, key=key)]
        for match in block.matches
    ]


def dial_in(store: Store, actor: Actor, game: str, name: str) -> NewToken:
    """Add a bot of somebody's that dials in and has qualified."""
    made = bots.add_dial_in(store, actor, game, name)
    with store.write() as session:
        mine = Version.id == bots.find_in(session, game, name).version_id
        session.execute(update(Version).where(mine).values(state=bots.ACTIVE, qualified=True))
    return made


def person(store: Store, name: str, role: str = "author") -> Actor:
    """Make a user; what they can do with all of their scopes."""
    with store.write() as session:
        user_id = users.add_in(session, name, role, None).id
    return Actor(user_id, name, role, actors.scopes_of(role))


def upload(
    store: Store,
    owner: Actor | None,
    name: str,
    game: str = "lost_cities",
    states: Sequence[str] = (bots.ACTIVE,),
) -> None:
    """Add a bot whose program the arena starts, an upload of somebody's, with a version in each of these states."""
    bots.register_house(store, {game: NAMES})
    with store.write() as session:
        bot = Bot(game=game, name=name, house=False, created_at=0.0, owner_id=owner and owner.user_id)
        session.add(bot)
        session.flush()
        names = [
            sha256(f"{game}/{name}@{number}".encode()).hexdigest() for number in range(1, len(states) + 1)
        ]
        session.add_all(Bundle(sha256=each, data=b"", created_at=0.0) for each in names)
        session.add_all(
            Version(
                bot_id=bot.id,
                version=str(number),
                source=bots.HOSTED,
                program=f"bundle:{names[number - 1]}",
                talks=False,
                state=state,
                qualified=state not in {bots.WAITING, bots.FAILED},
                created_at=0.0,
            )
            for number, state in enumerate(states, 1)
        )

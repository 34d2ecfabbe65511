"""Plays tournaments in this process, choosing at random, and stores them through the services: real records, quickly."""

from __future__ import annotations

import random

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.competition.matches.blocks import Block, BlockMatch
from arena.competition.plans import NotFound
from arena.games import registry
from arena.games.chance import commitment
from arena.games.kernel import Choice, Played, Result, advance
from arena.match.clock import TimeControl, parse_time_control
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, Participant, Record, RecordedStep, to_json
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.decided_matches import store_result
from tests.games.playing import choose

HOUSE = {
    "lost_cities": ["random", "greedy", "cautious", "rusher"],
    "land_unter": ["random", "greedy", "hoarder", "counter", "low_profile"],
    "bottle_imp": ["random", "greedy", "cautious", "daring"],
    "teotlatolli": ["random", "greedy", "builder", "raider"],
    "lifeboats": ["random", "greedy", "keeper", "liar", "diplomat", "captain"],
}
SECRET = bytes(range(32))
RATED = parse_time_control("30+0.1")


def create(
    store: Store,
    game: str,
    *names: str,
    seats: int | None = None,
    name: str | None = None,
    time: TimeControl = RATED,
    delay_s: int = 0,
    **options: int,
) -> TournamentPage:
    """Create a tournament of house bots."""
    bots.register_house(store, HOUSE)
    return tournaments.page(
        store,
        creation.create(
            store,
            TournamentSpec(
                game=game,
                bots=names,
                seats=seats,
                options=options,
                time=time,
                secret=SECRET,
                name=name,
                delay_s=delay_s,
            ),
        ),
    )


ILLEGAL = SeatFault(0, FaultKind.ILLEGAL_ACTION, "index 99 is not one of the 8 actions offered")


def play(
    store: Store,
    tournament_id: int,
    limit: int | None = None,
    *,
    fault: bool | SeatFault = False,
    incident: str = "",
) -> int:
    """Play matches that are open, at most `limit`; with `fault` the first of them ends by one.  Gives how many."""
    spoilt = ILLEGAL if fault is True else fault or None
    played = 0
    for number in range(10_000):
        try:
            block = blocks.claim(store, "random", 60.0, blocks.BlockKey(tournament_id, number))
        except NotFound:
            return played
        if block is None:
            continue
        for match in block.matches:
            if played == limit:
                return played
            first = None if played else spoilt
            text = to_json(record_of(block, match, first))
            named = incident if first is not None else ""
            assert store_result(
                store, tournament_id, match.set, match.match, match.attempt, text, incident=named
            )
            played += 1
        blocks.finish(store, blocks.BlockKey(tournament_id, number), "random")
    return played


def record_of(block: Block, match: BlockMatch, fault: SeatFault | None = None, salt: str = "") -> Record:
    """Play a match of a block at random; with another salt, other actions of the same deal."""
    game = registry.find(block.game)
    talks = [game.has_talk] * len(match.seats)
    setup = game.setup(len(match.seats), variant=block.variant, options=block.options, talks=talks)
    chance = random.Random(match.id + salt)
    state, first = game.new(setup, match.seed)
    steps = [RecordedStep(step) for step in first]
    together = 0
    most = 0 if fault and fault.message.startswith("before it could play") else 20
    while (decisions := game.to_act(state)) and not (fault and len(steps) > most):
        answers = [choose(game, state, decision, chance) for decision in decisions]
        forced = {
            each.seat
            for each in decisions
            if isinstance(each, Choice) and len(game.legal(state, each.seat)) == 1
        }
        state, more, together = advance(game, state, answers, together)
        for step in more:
            ms = (0.0 if step.seat in forced else 1.5) if isinstance(step, Played) else None
            steps.append(RecordedStep(step, ms))
    return Record(
        match=match.id,
        game=block.game,
        variant=block.variant,
        options=setup.options,
        seed=match.seed,
        commitment=commitment(match.id, match.seed),
        seats=tuple(Participant(seat.bot, seat.version, game.has_talk) for seat in match.seats),
        steps=tuple(steps),
        result=_ending(game.result(state), len(match.seats), fault),
    )


def _ending(result: Result | None, seats: int, fault: SeatFault | None) -> Ending:
    if result is None:
        return Ending(places=(seats, *[1] * (seats - 1)), end="fault", fault=fault)
    return Ending(places=result.places, end=result.end, scores=result.scores, detail=result.detail)

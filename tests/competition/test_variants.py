"""Bots that play some variants or seat counts of their game only: what they qualify at, enter, and are drawn for."""

from __future__ import annotations

import re
import time

import pytest

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots, variant_suspensions
from arena.bot_registry.variant_suspensions import VariantSuspension
from arena.bundle_format.bundle import read_upload
from arena.competition import creation, ladders, lifecycle, plans
from arena.competition.drafts import TournamentSpec
from arena.competition.ladders import LadderRequest
from arena.competition.matches import blocks, uptime
from arena.competition.qualification import arrivals, challenges, declared_versions, submissions, suspensions
from arena.competition.qualification.submissions import VersionRow
from arena.competition.qualification.suspensions import HOUSE_SUSPENSION_S
from arena.core.errors import Refusal
from arena.declarations.declared_tables import GameOffer
from arena.referee_client import DialIn
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import Version
from tests import decided_matches
from tests.bundle_format.uploads import BOT, project
from tests.decided_matches import store_result

GAME = "bottle_imp"
STANDARD = (GameOffer(GAME, ("standard",), ()),)


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, {GAME: ("random", "greedy", "counter", "low_profile")})
    return decided_matches.person(store, "ada")


def submit(store: Store, actor: Actor, declaration: str = "", note: str = "") -> VersionRow:
    toml = f'name = "mine"\ngames = ["{GAME}"]\nentry = "mine.py"\n{declaration}\n'
    upload = read_upload(project(toml, BOT + note), "mine.zip")
    return submissions.submit(store, actor, upload, allowed=(), most=10)[0]


def trials(store: Store) -> list[tuple[str, int]]:
    """The variants and seat counts of the qualifications that run."""
    running = [key.tournament_id for key in blocks.reconcile(store)]
    return sorted(
        (tournaments.row(store, number).variant, tournaments.row(store, number).seats) for number in running
    )


def play(store: Store, *, at_fault_in: str = "") -> None:
    """Play all that is to be played; the bot `mine` makes a fault in each match of this variant."""
    for key in blocks.reconcile(store):
        variant = tournaments.row(store, key.tournament_id).variant
        block = decided_matches.claim(store, key=key)
        for match in block.matches:
            seat = next((seat for seat, each in enumerate(match.seats) if each.bot == "mine"), 0)
            more = (
                {"result": decided_matches.fault(len(match.seats), seat, "crash")}
                if variant == at_fault_in
                else {}
            )
            decided_matches.add(store, block, match, decided_matches.alphabetical(match), **more)
        blocks.finish(store, key, "anna")


def mine(store: Store) -> VersionRow:
    return submissions.versions(store, OPERATOR, GAME, "mine")[0]


def created(store: Store, variant: str, seats: int, *names: str, begin: str = "now") -> int:
    spec = TournamentSpec(GAME, names, variant=variant, seats=seats, begin=begin)  # type: ignore[arg-type]
    return creation.create(store, spec)


def test_a_bot_that_declares_nothing_qualifies_in_every_variant(store: Store, ada: Actor) -> None:
    submit(store, ada)
    assert trials(store) == [("bright_house", 2), ("lopaka", 2), ("standard", 3), ("standard", 4)]
    play(store)
    row = mine(store)
    assert (row.state, row.plays["standard"]) == ("active", (3, 4))


def test_one_that_fails_in_a_variant_that_it_declares_is_not_active_and_is_told_where(
    store: Store, ada: Actor
) -> None:
    submit(store, ada)
    play(store, at_fault_in="lopaka")
    row = mine(store)
    assert row.state == "failed"
    assert re.match(r"It crashed in match 1 of 2 \(lopaka, 2 seats\): ", row.reason or "")
    assert row.trial is not None
    assert tournaments.row(store, row.trial).variant == "lopaka"


def test_a_qualification_at_several_tables_is_one_of_the_quota(store: Store, ada: Actor) -> None:
    toml = f'name = "mine"\ngames = ["{GAME}"]\nentry = "mine.py"\n'
    for number in range(2):
        upload = read_upload(project(toml, f"{BOT}# {number}"), "mine.zip")
        submissions.submit(store, ada, upload, allowed=(), most=2)
    with pytest.raises(Refusal, match="has begun 2 in the last 24 hours"):
        submissions.submit(
            store, ada, read_upload(project(toml, f"{BOT}# 3"), "mine.zip"), allowed=(), most=2
        )


def test_one_that_is_tried_again_is_not_judged_by_the_qualification_before(store: Store, ada: Actor) -> None:
    submit(store, ada)
    first, *rest = blocks.reconcile(store)
    block = decided_matches.claim(store, key=first)
    for match in block.matches:
        seat = next(seat for seat, each in enumerate(match.seats) if each.bot == "mine")
        result = decided_matches.fault(len(match.seats), seat, "crash")
        decided_matches.add(store, block, match, decided_matches.alphabetical(match), result=result)
    blocks.finish(store, first, "anna")
    assert mine(store).state == "failed"
    submissions.restore(store, ada, GAME, "mine", most=10)
    for key in rest:  # those of the first qualification
        block = decided_matches.claim(store, key=key)
        for match in block.matches:
            decided_matches.add(store, block, match, decided_matches.alphabetical(match))
        blocks.finish(store, key, "anna")
    assert mine(store).state == "waiting"
    play(store)
    assert mine(store).state == "active"


def test_one_that_declares_a_variant_qualifies_there_and_enters_nothing_else(
    store: Store, ada: Actor
) -> None:
    submit(store, ada, 'variants = ["standard"]')
    assert trials(store) == [("standard", 3), ("standard", 4)]
    play(store)
    assert mine(store).state == "active"
    said = "bot mine@1: plays standard at 3–4 seats, not lopaka at 2 seats"
    with pytest.raises(Refusal, match=said) as caught:
        created(store, "lopaka", 2, "mine", "greedy")
    assert (caught.value.code, caught.value.field) == ("table_not_played", "bots")
    number = created(store, "lopaka", 2, begin="open")
    with pytest.raises(Refusal, match=said):
        lifecycle.enter(store, number, "mine", ada)
    lifecycle.enter(store, created(store, "standard", 3, begin="open"), "mine", ada)


def test_one_that_declares_a_seat_count_enters_no_larger_table(store: Store, ada: Actor) -> None:
    submit(store, ada, "seat_counts = [2, 3]")
    play(store)
    created(store, "standard", 3, "mine", "greedy", "random")
    with pytest.raises(
        Refusal, match=r"plays standard at 3 seats, lopaka at 2 seats, .* not standard at 4 seats"
    ):
        created(store, "standard", 4, "mine", "greedy", "random", "counter")


def test_a_challenge_is_played_in_a_variant_that_all_play(store: Store, ada: Actor) -> None:
    submit(store, ada, 'variants = ["bright_house"]')
    play(store)
    number = challenges.challenge(store, ada, GAME, "mine", ["greedy"], most=10)
    assert tournaments.row(store, number).variant == "bright_house"
    with pytest.raises(Refusal, match="mine@1: plays bright_house at 2 seats, not standard at 3 seats"):
        challenges.challenge(store, ada, GAME, "mine", ["greedy", "random"], most=10)


def ladder_entries(store: Store, variant: str, seats: int) -> set[str]:
    """Begin a ladder and draw a round; return the bots that it drew."""
    ladders.start(store, LadderRequest(GAME, variant, seats), OPERATOR)
    ladders.advance(store, time.time())
    newest = max(row.id for row in tournaments.listing(store))
    with store.read() as session:
        stored = plans.load(store, session, newest)
    return {entry.bot for entry in stored.entries}


def test_a_ladder_draws_those_only_that_play_its_variant(store: Store, ada: Actor) -> None:
    submit(store, ada, 'variants = ["standard"]')
    play(store)
    assert "mine" not in ladder_entries(store, "lopaka", 2)
    assert "mine" in ladder_entries(store, "standard", 3)


def suspend_in(store: Store, variant: str, seats: int, *names: str) -> None:
    """Let `mine` lose matches of a tournament by its faults until it is suspended."""
    creation.create(store, TournamentSpec(GAME, ("mine", *names), variant=variant, seats=seats, cycles=20))
    while any(row.state == "running" for row in tournaments.listing(store)):
        block = decided_matches.claim(store)
        for match in block.matches:
            seat = [each.bot for each in match.seats].index("mine")
            result = decided_matches.fault(len(match.seats), seat, "crash")
            text = decided_matches.record(block, match, [*range(1, len(match.seats) + 1)], result=result)
            store_result(store, block.tournament_id, match.set, match.match, match.attempt, text, incident="")


def test_a_suspension_in_one_variant_does_not_reach_the_others(store: Store, ada: Actor) -> None:
    submit(store, ada)
    play(store)
    suspend_in(store, "lopaka", 2, "greedy")
    row = mine(store)
    assert row.state == "active"
    assert list(row.suspended_in) == ["lopaka"]
    (listed,) = suspensions.listing(store, OPERATOR)
    assert (listed.bot, listed.variant) == ("mine", "lopaka")
    with pytest.raises(
        Refusal, match="is suspended in lopaka after repeated faults; it plays the other variants"
    ):
        created(store, "lopaka", 2, "mine", "greedy")
    created(store, "standard", 3, "mine", "greedy", "random")
    assert "mine" not in ladder_entries(store, "lopaka", 2)
    submissions.restore(store, OPERATOR, GAME, "mine", most=10)
    created(store, "lopaka", 2, "mine", "greedy")


def test_one_that_plays_no_other_variant_is_suspended_as_a_whole(store: Store, ada: Actor) -> None:
    submit(store, ada, 'variants = ["lopaka"]')
    play(store)
    suspend_in(store, "lopaka", 2, "greedy")
    assert mine(store).state == "suspended"
    assert [row.variant for row in suspensions.listing(store, OPERATOR)] == [None]


def test_a_house_bot_plays_the_variant_again_after_an_hour_of_uptime(store: Store, ada: Actor) -> None:
    with store.write() as session:
        row = bots.find_in(session, GAME, "greedy")
        session.get_one(Version, row.version_id).suspensions = variant_suspensions.write(
            {"lopaka": VariantSuspension("faults", 0.0)}
        )
    assert suspensions.lift(store) == ()
    uptime.advance(store, HOUSE_SUSPENSION_S)
    assert suspensions.lift(store) == ("bottle_imp/greedy@1",)
    assert not bots.find(store, GAME, "greedy").suspended_in


def remote(store: Store, actor: Actor = OPERATOR) -> DialIn:
    return DialIn(bots.add_dial_in(store, actor, GAME, "away").token_id)


def test_what_a_remote_bot_declares_in_its_hello_holds_for_its_entries(store: Store, ada: Actor) -> None:
    source = remote(store)
    declared_versions.take(store, source, "", STANDARD)
    with pytest.raises(Refusal, match="away@1: plays standard at 3–4 seats, not lopaka at 2 seats"):
        created(store, "lopaka", 2, "away", "greedy")
    declared_versions.take(store, source, "", ())
    created(store, "lopaka", 2, "away", "greedy")


def test_a_new_version_has_the_tables_that_it_declares(store: Store, ada: Actor) -> None:
    source = remote(store)
    declared_versions.take(store, source, "2", STANDARD)
    assert {
        row.version: dict(row.tables.of_game(GAME)) for row in bots.listing(store, GAME) if row.bot == "away"
    } == {
        "1": {"standard": (3, 4), "lopaka": (2,), "bright_house": (2,)},
        "2": {"standard": (3, 4)},
    }


def test_a_remote_bot_qualifies_at_the_tables_of_its_hello(store: Store, ada: Actor) -> None:
    source = remote(store, ada)
    declared_versions.take(store, source, "1", STANDARD)
    arrivals.note(store, [source], time.time())
    assert arrivals.qualify(store, time.time(), 10) == 1
    assert trials(store) == [("standard", 3), ("standard", 4)]


def test_one_whose_hello_leaves_its_game_out_is_told_so(store: Store, ada: Actor) -> None:
    source = remote(store, ada)
    declared_versions.take(store, source, "1", (GameOffer("lost_cities", (), ()),))
    arrivals.note(store, [source], time.time())
    assert arrivals.qualify(store, time.time(), 10) == 0
    (row,) = submissions.versions(store, ada, GAME, "away")
    assert "its Hello does not offer bottle_imp" in (row.reason or "")

"""Notes in a match: stored once with the result, and read by whom they are for, when they may be."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select

from arena.accounts.actors import Actor
from arena.bot_registry import note_visibility
from arena.competition import retention, settlement
from arena.competition.matches.blocks import Block, BlockMatch
from arena.competition.matches.results import Arrival
from arena.competition.retention import RetentionPolicy
from arena.core.errors import Refusal
from arena.core.notes import Candidate, Notes
from arena.match import seat_notes
from arena.match.seat_notes import SeatNotes
from arena.reports import bot_logs, match_views
from arena.reports.insights import visible_notes
from arena.reports.insights.visible_notes import Reader
from arena.reports.match_details import NotedCandidate, NotesOfSeat, StepNotes
from arena.storage import Store
from arena.storage.schema import MatchNotes
from tests import decided_matches
from tests.competition.test_retention import age


def noted(bot: str) -> SeatNotes:
    return SeatNotes(
        ((1, Notes((Candidate("play R3", 0.5),), (("win", 0.25),), f"{bot} holds red")),),
        dropped=1,
        reason="17 candidates: at most 16 are allowed",
    )


def add(store: Store, block: Block, match: BlockMatch, **changes: object) -> bool:
    """Store the result of a match in which every bot has noted something."""
    notes = {seat: seat_notes.to_json(noted(each.bot)) for seat, each in enumerate(match.seats)}
    text = decided_matches.record(block, match, decided_matches.alphabetical(match), **changes)
    arrival = Arrival(match.set, match.match, match.attempt, text, notes=notes)
    (added,) = settlement.add_results(store, block.tournament_id, [arrival])
    return added is True


@pytest.fixture
def ada(store: Store) -> Actor:
    """Ada, whose bot `hers` plays against Bob's `his`."""
    ada, bob = decided_matches.person(store, "ada"), decided_matches.person(store, "bob")
    decided_matches.upload(store, ada, "hers")
    decided_matches.upload(store, bob, "his")
    return ada


def begin(store: Store, **spec: Any) -> Block:
    decided_matches.new_tournament(store, names=("hers", "his"), **spec)
    return decided_matches.claim(store)


def texts(store: Store, reader: Reader | None, match: int = 0) -> list[str]:
    """Return what a reader reads of the first set's match."""
    page = match_views.page(store, 1, 0, match)
    return [step.text for seat in visible_notes.of_match(store, page, reader) for step in seat.steps]


def reader(actor: Actor) -> Reader:
    return Reader(actor.user_id, "admin" in actor.scopes)


def test_an_owner_reads_the_notes_of_the_own_bot_alone(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    assert texts(store, reader(ada)) == ["hers holds red"]


def test_notes_are_read_as_the_bot_noted_them(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    page = match_views.page(store, 1, 0, 0)
    (seat,) = [each.seat for each in page.seats if each.bot == "hers"]
    step = StepNotes(1, (NotedCandidate("play R3", 0.5),), {"win": 0.25}, "hers holds red")
    assert visible_notes.of_match(store, page, reader(ada)) == (
        NotesOfSeat(seat, False, 1, "17 candidates: at most 16 are allowed", (step,)),  # noqa: FBT003
    )


def test_a_stranger_and_who_is_not_signed_in_read_nothing(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    assert texts(store, reader(decided_matches.person(store, "eve"))) == []
    assert texts(store, None) == []


def test_an_admin_reads_the_notes_of_no_author(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    assert texts(store, reader(decided_matches.person(store, "root", "admin"))) == []


def test_the_notes_of_a_bot_without_an_owner_are_for_admins(store: Store, ada: Actor) -> None:
    decided_matches.new_tournament(store, names=("greedy", "random"))
    block = decided_matches.claim(store)
    for match in block.matches:  # which share their deal
        add(store, block, match)
    assert texts(store, reader(ada)) == []
    assert len(texts(store, reader(decided_matches.person(store, "root", "admin")))) == 2


def test_everybody_reads_the_notes_that_the_owner_has_made_public(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    note_visibility.set_public(store, ada, "lost_cities", "hers", public=True)
    assert texts(store, None) == ["hers holds red"]
    note_visibility.set_public(store, ada, "lost_cities", "hers", public=False)
    assert texts(store, None) == []


def test_only_the_owner_can_make_notes_public(store: Store, ada: Actor) -> None:
    with pytest.raises(Refusal, match="not yours"):
        note_visibility.set_public(store, ada, "lost_cities", "his", public=True)


def test_where_a_set_shares_its_deal_nobody_reads_notes_before_the_set_is_over(
    store: Store, ada: Actor
) -> None:
    note_visibility.set_public(store, ada, "lost_cities", "hers", public=True)
    block = begin(store, trusted=True)
    add(store, block, block.matches[0])
    assert texts(store, reader(ada)) == []
    assert texts(store, None) == []
    add(store, block, block.matches[1])
    assert texts(store, None) == ["hers holds red"]


def test_the_delay_of_the_organiser_holds_notes_back_too(store: Store, ada: Actor) -> None:
    note_visibility.set_public(store, ada, "lost_cities", "hers", public=True)
    block = begin(store, delay_s=3600)
    for match in block.matches:
        add(store, block, match)
    assert texts(store, reader(ada)) == []
    assert texts(store, None) == []


def test_a_second_result_of_a_match_stores_no_notes(store: Store, ada: Actor) -> None:
    block = begin(store)
    assert add(store, block, block.matches[0])
    assert not add(store, block, block.matches[0])
    assert count(store) == 2


def test_a_record_that_is_not_the_planned_one_stores_no_notes(store: Store, ada: Actor) -> None:
    block = begin(store)
    assert not add(store, block, block.matches[0], seed="00" * 32)
    assert count(store) == 0


def test_the_log_of_a_match_tells_the_author_what_was_dropped(store: Store, ada: Actor) -> None:
    block = begin(store)
    add(store, block, block.matches[0])
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "hers", block.matches[0].id)
    assert (log.notes_kept, log.notes_dropped) == (1, 1)
    assert log.notes_reason == "17 candidates: at most 16 are allowed"


def test_notes_are_kept_as_long_as_what_bots_print(store: Store, ada: Actor) -> None:
    block = begin(store)
    for match in block.matches:
        add(store, block, match)
    age(store, 1, 40)
    assert retention.prune(store, RetentionPolicy(records_days=60, outputs_days=50)).outputs == 0
    assert retention.prune(store, RetentionPolicy(records_days=60, outputs_days=30)).outputs == 4
    assert count(store) == 0


def count(store: Store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(MatchNotes)) or 0

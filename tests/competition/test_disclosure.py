"""Disclosure: what may be shown of a match, and when; the same through every door."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import disclosure, plans
from arena.core.errors import Refusal
from arena.reports import exports, match_views, tournament_archive, tournaments
from arena.storage.schema import MatchResult, Tournament
from tests.decided_matches import add, claim, new_tournament, play

if TYPE_CHECKING:
    from arena.competition.plans import StoredPlan
    from arena.storage import Store

NOW = 1000.0


def _stored(store: Store, tournament_id: int = 1) -> StoredPlan:
    with store.read() as session:
        return plans.load(store, session, tournament_id)


@pytest.mark.parametrize(
    ("delay_s", "results", "finished_at", "opens_at", "is_open"),
    [
        # no result yet, one of two
        (0, [], None, None, False),
        (0, [NOW - 50], None, None, False),
        # the set is over: at once, whatever another machine's clock says
        (0, [NOW - 50, NOW - 9], None, NOW - 9, True),
        (0, [NOW - 50, NOW + 1], None, NOW + 1, True),
        # with a delay since its last result
        (10, [NOW - 50, NOW - 9], None, NOW + 1, False),
        (9, [NOW - 50, NOW - 9], None, NOW, True),
        (60, [NOW - 900, NOW - 10], None, NOW + 50, False),
        # the delay of a set that was over before does not begin anew with the tournament's end
        (60, [NOW - 900, NOW - 70], NOW - 1, NOW - 10, True),
        # the tournament was cancelled, and the set with it
        (0, [NOW - 50], NOW - 5, NOW - 5, True),
        (60, [NOW - 900], NOW - 5, NOW + 55, False),
        (60, [], NOW - 61, NOW - 1, True),
    ],
)
def test_matches_that_share_a_deal_open_when_their_set_is_over_and_the_delay_has_passed(
    store: Store,
    delay_s: int,
    results: list[float],
    finished_at: float | None,
    opens_at: float | None,
    is_open: bool,  # noqa: FBT001 - a row of the table
) -> None:
    new_tournament(store)
    stored = replace(_stored(store), delay_s=delay_s, finished_at=finished_at)
    planned = plans.match(stored, 0, 0, 0)
    assert disclosure.opens_at(stored, planned, dict(enumerate(results))) == opens_at
    assert disclosure.is_open(stored, opens_at, NOW) is is_open


@pytest.mark.parametrize(
    ("delay_s", "results", "finished_at", "opens_at"),
    [
        (0, {}, None, None),
        (0, {1: NOW - 9}, None, None),
        (0, {0: NOW - 50}, None, NOW - 50),
        (60, {0: NOW - 50, 1: NOW - 9}, None, NOW + 10),
        (0, {1: NOW - 9}, NOW - 5, NOW - 5),
    ],
    ids=["none played", "only the other", "it is over", "with a delay", "with the tournament"],
)
def test_a_match_with_a_deal_of_its_own_opens_when_it_is_over(
    store: Store,
    delay_s: int,
    results: dict[int, float],
    finished_at: float | None,
    opens_at: float | None,
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    stored = replace(_stored(store), delay_s=delay_s, finished_at=finished_at)
    assert disclosure.opens_at(stored, plans.match(stored, 0, 0, 0), results) == opens_at


def test_a_match_with_a_deal_of_its_own_is_shown_while_its_set_is_played(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    block = claim(store)
    add(store, block, block.matches[0], [2, 1])
    assert [row.state for row in match_views.of_tournament(store, 1)] == ["finished", "open"]
    assert [row.state for row in match_views.recent(store)] == ["finished"]
    pages = [match_views.page(store, 1, 0, number) for number in range(2)]
    assert [(page.seed is not None, page.record is not None) for page in pages] == [
        (True, True),
        (False, False),
    ]


@pytest.mark.parametrize(
    ("elsewhere", "trusted", "live"),
    [(False, False, True), (False, True, True), (True, False, True), (True, True, False)],
)
def test_public_steps_wait_where_a_bot_that_sees_our_pages_plays_the_deal_again(
    store: Store, *, elsewhere: bool, trusted: bool, live: bool
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    names = ("alice", "greedy") if elsewhere else ("random", "greedy")
    new_tournament(store, names=names, trusted=trusted)
    stored = _stored(store)
    assert disclosure.goes_live(stored, plans.match(stored, 0, 0, 0)) is live


def _doors(store: Store) -> dict[str, object]:
    """What each door shows of the first match of a tournament that is over."""
    page = match_views.page(store, 1, 0, 0)
    export = exports.export(store, 1)
    file = io.BytesIO()
    tournament_archive.write(store, 1, file)
    with zipfile.ZipFile(file) as opened:
        names = opened.namelist()
    return {
        "state": page.state,
        "seed": page.seed is not None,
        "record": page.record is not None,
        "listed": {row.state for row in (*match_views.recent(store), *match_views.of_tournament(store, 1))},
        "secret": tournaments.page(store, 1).secret is not None,
        "exported": json.loads(export)["secret"] is not None,
        "archived": any(name.startswith("records/") for name in names),
    }


def test_every_door_waits_for_the_delay(store: Store) -> None:
    new_tournament(store, names=("random", "greedy"), delay_s=600)
    play(store, 1)
    shut = {"state": "hidden", "listed": {"hidden"}}
    kept = dict.fromkeys(("seed", "record", "secret", "exported", "archived"), False)
    assert _doors(store) == {**shut, **kept}
    page = match_views.page(store, 1, 0, 0)
    assert page.opens_at is not None
    assert page.stored_at is not None
    assert page.opens_at >= page.stored_at + 600
    assert [seat.place for seat in page.seats] != [None, None], "how it went is no secret"

    with store.write() as session:
        session.execute(update(MatchResult).values(stored_at=MatchResult.stored_at - 601))
        session.execute(update(Tournament).values(finished_at=Tournament.finished_at - 601))
    plans.forget(store, 1)
    assert _doors(store) == {
        "state": "finished",
        "listed": {"finished"},
        **dict.fromkeys(kept, True),
    }


def test_a_set_that_is_over_opens_while_the_tournament_goes_on(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    for match in block.matches[:2]:
        add(store, block, match, [2, 1])
    assert match_views.page(store, 1, 0, 0).state == "finished"
    assert tournaments.page(store, 1).secret is None


def test_a_delay_that_cannot_be_is_refused(store: Store) -> None:
    for delay_s in (-1, disclosure.MAX_DELAY_S + 1):
        with pytest.raises(Refusal, match=f"delay {delay_s}: must be 0 to 2592000 seconds"):
            new_tournament(store, delay_s=delay_s)

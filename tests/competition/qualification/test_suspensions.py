"""When a bot is suspended: after ten separate faults, however many matches one of them has ended."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.matches import uptime
from arena.competition.qualification import suspensions
from arena.competition.qualification.suspensions import HOUSE_SUSPENSION_S, MIN_FAULTS
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import Bot, MatchResult, Version
from tests.decided_matches import NAMES, alphabetical, claim, fault, new_tournament, record, store_result

Incident = Callable[[int], str]


def forfeit(store: Store, incident: Incident, *, most: int = 1000) -> None:
    """Let `random` lose all matches by faults; `incident` names that of the n-th."""
    number = 0
    while number < most and any(row.state == "running" for row in tournaments.listing(store)):
        block = claim(store)
        for match in block.matches:
            names = [seat.bot for seat in match.seats]
            spoilt = "random" in names and number < most
            text = record(
                block,
                match,
                [1, 2] if spoilt else alphabetical(match),
                **({"result": fault(2, names.index("random"), "crash")} if spoilt else {}),
            )
            store_result(
                store,
                block.tournament_id,
                match.set,
                match.match,
                match.attempt,
                text,
                incident=incident(number) if spoilt else "",
            )
            number += spoilt


def states(store: Store) -> dict[str, str]:
    return {found.bot: found.state for found in bots.listing(store, "lost_cities")}


def test_one_death_that_ends_all_matches_suspends_nobody(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda _number: "one death")
    assert set(states(store).values()) == {"active"}
    assert tournaments.row(store, 1).matches_done == 40


def test_all_but_the_last_of_ten_deaths_suspend_nobody(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda number: f"death {number % (MIN_FAULTS - 1)}")
    assert states(store)["random"] == "active"


def test_ten_deaths_that_end_two_matches_each_suspend(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda number: f"death {number // 2}")
    assert states(store)["random"] == "suspended"


def test_matches_that_end_by_faults_of_their_own_count_each(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda _number: "")
    assert states(store)["random"] == "suspended"


def test_the_reason_says_how_many_faults_and_matches_it_were(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda number: f"death {number // 2}")
    (row,) = suspensions.listing(store, OPERATOR)
    assert row.reason == "tournament 1: suspended: 10 separate faults ended 19 of its 19 matches here"


def test_an_incident_stands_with_its_result(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=1)
    forfeit(store, lambda _number: "0123456789abcdef", most=1)
    with store.read() as session:
        assert "0123456789abcdef" in session.scalars(select(MatchResult.incident)).all()


def suspend(store: Store, name: str = "random", **values: object) -> None:
    bots.register_house(store, {"lost_cities": NAMES})
    with store.write() as session:
        bot_id = select(Bot.id).where(Bot.name == name).scalar_subquery()
        session.execute(
            update(Version)
            .where(Version.bot_id == bot_id)
            .values({"state": bots.SUSPENDED, "reason": "faults", **values})
        )


def test_suspension_of_a_house_bot_ends_after_an_hour_of_uptime(store: Store) -> None:
    uptime.advance(store, 500.0)
    suspend(store, suspended_uptime_s=500.0)
    uptime.advance(store, HOUSE_SUSPENSION_S - 1)
    assert suspensions.lift(store) == ()
    uptime.advance(store, 1)
    assert suspensions.lift(store) == ("lost_cities/random@1",)
    assert states(store)["random"] == "active"


def test_suspension_notes_the_uptime(store: Store) -> None:
    uptime.advance(store, 700.0)
    new_tournament(store, names=NAMES[:2], cycles=20)
    forfeit(store, lambda _number: "")
    (row,) = suspensions.listing(store, OPERATOR)
    assert row.ends_in_s == HOUSE_SUSPENSION_S
    uptime.advance(store, 600.0)
    (row,) = suspensions.listing(store, OPERATOR)
    assert row.ends_in_s == HOUSE_SUSPENSION_S - 600


def test_suspension_of_before_uptimes_were_noted_ends_too(store: Store) -> None:
    suspend(store)
    uptime.advance(store, HOUSE_SUSPENSION_S)
    assert suspensions.lift(store) == ("lost_cities/random@1",)


def test_suspension_of_an_authors_bot_does_not_end_by_itself(store: Store) -> None:
    suspend(store)
    with store.write() as session:
        session.execute(update(Bot).where(Bot.name == "random").values(house=False))
    uptime.advance(store, 10 * HOUSE_SUSPENSION_S)
    assert suspensions.lift(store) == ()
    (row,) = suspensions.listing(store, OPERATOR)
    assert row.ends_in_s is None


def test_end_of_a_suspension_is_in_the_log_and_in_the_audit_log(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    suspend(store)
    uptime.advance(store, HOUSE_SUSPENSION_S)
    suspensions.lift(store)
    assert "house bot lost_cities/random@1 is no longer suspended" in caplog.text
    (row,) = audit_log.listing(store, OPERATOR, wanted=audit_log.Filter(action="bot.restore"))
    assert (row.actor, row.subject) == ("platform", "bot/lost_cities/random")


def test_second_look_ends_nothing_twice(store: Store) -> None:
    suspend(store)
    uptime.advance(store, HOUSE_SUSPENSION_S)
    suspensions.lift(store)
    assert suspensions.lift(store) == ()

"""What is kept of a bot's matches goes by a mark: it changes with them, and with nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle, retention
from arena.competition.matches import uptime
from arena.competition.retention import RetentionPolicy
from arena.reports import participation
from arena.storage.schema import Bot, Version
from tests.competition.test_retention import age
from tests.decided_matches import add, alphabetical, claim, new_tournament, play_on

if TYPE_CHECKING:
    from collections.abc import Hashable

    from arena.storage import Store


def mark(store: Store) -> Hashable:
    with store.read() as session:
        greedy = select(Version.id).join(Bot, Bot.id == Version.bot_id).where(Bot.name == "greedy")
        return participation.cache_version(session, participation.of(session, session.scalars(greedy).all()))


@pytest.fixture
def number(store: Store) -> int:
    return new_tournament(store).id


def test_it_stays_while_only_the_clock_of_the_platform_goes_on(store: Store, number: int) -> None:
    play_on(store)
    before = mark(store)
    uptime.advance(store, 1.0)
    assert mark(store) == before


def test_it_changes_with_a_match_with_annulling_and_with_what_is_not_kept_any_more(
    store: Store, number: int
) -> None:
    marks = [mark(store)]
    play_on(store)
    marks.append(mark(store))
    age(store, number, 2)
    marks.append(mark(store))
    retention.prune(store, RetentionPolicy(records_days=1))
    marks.append(mark(store))
    assert len(set(marks)) == len(marks)


def test_it_changes_when_a_rival_leaves_and_results_are_annulled(store: Store, number: int) -> None:
    block = claim(store)
    assert add(store, block, block.matches[0], alphabetical(block.matches[0]))
    before = mark(store)
    lifecycle.withdraw(store, number, "random", OPERATOR, annul=True)
    assert mark(store) != before

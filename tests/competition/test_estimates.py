"""What a tournament would come to is said as creating it would do it, and changes nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR
from arena.competition import creation, estimates
from arena.competition.drafts import TournamentSpec
from arena.core.errors import Refusal
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import MatchResult
from tests.decided_matches import NAMES, new_tournament, play

FOUR = NAMES[:4]


@pytest.mark.parametrize(
    ("spec", "sets", "at_most"),
    [
        (TournamentSpec("lost_cities", FOUR, cycles=3), 18, False),
        (TournamentSpec("lost_cities", FOUR, format="gauntlet", cycles=3), 9, False),
        (TournamentSpec("lost_cities", FOUR, format="swiss", given={"rounds": 3}), 6, False),
        (TournamentSpec("lost_cities", FOUR, format="knockout", given={"sets": 2}), 30, True),
        (TournamentSpec("lost_cities", FOUR, begin="open"), 6, False),
        (TournamentSpec("lost_cities", (), begin="open"), None, False),
    ],
)
def test_estimate_counts_what_would_be_planned(
    store: Store, spec: TournamentSpec, sets: int | None, *, at_most: bool
) -> None:
    new_tournament(store)
    found = estimates.estimate(store, spec, OPERATOR)
    assert (found.sets, found.at_most) == (sets, at_most)
    assert found.matches == (None if sets is None else 2 * sets)
    if spec.begin == "now" and not at_most and spec.format != "swiss":
        assert tournaments.page(store, creation.create(store, spec)).matches_total == found.matches


def test_estimate_takes_its_pace_from_tournaments_like_it(store: Store) -> None:
    before = new_tournament(store, names=FOUR, cycles=2)
    play(store, before.id)
    with store.write() as session:
        session.execute(update(MatchResult).values(stored_at=1000.0 + 2.0 * MatchResult.id))
    wish = TournamentSpec("lost_cities", FOUR, cycles=10)
    assert estimates.estimate(store, wish, OPERATOR).seconds == pytest.approx(120 * 2.0)
    other = TournamentSpec("lost_cities", FOUR, cycles=10, options={"hands": 1})
    assert estimates.estimate(store, other, OPERATOR).seconds is None


def test_a_tournament_that_has_begun_takes_its_pace_from_others_like_it(store: Store) -> None:
    assert estimates.seconds_of(store, new_tournament(store, names=FOUR).id) is None
    before = new_tournament(store, names=FOUR, cycles=2)
    play(store, before.id)
    with store.write() as session:
        session.execute(update(MatchResult).values(stored_at=1000.0 + 3.0 * MatchResult.id))
    begun = new_tournament(store, names=FOUR[:2], cycles=10)
    assert estimates.seconds_of(store, begun.id) == pytest.approx(20 * 3.0)
    assert estimates.seconds_of(store, new_tournament(store, options={"hands": 1}).id) is None


def test_estimate_refuses_what_cannot_be_created(store: Store) -> None:
    new_tournament(store)
    with pytest.raises(Refusal, match="at most 1000000 are possible"):
        estimates.estimate(store, TournamentSpec("lost_cities", FOUR, cycles=100_000), OPERATOR)

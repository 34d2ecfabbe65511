"""What pages show of games, bots and tournaments beside their tables: form, meetings, profiles, agendas, races, pace."""

from __future__ import annotations

import re
import time

import pytest
from sqlalchemy import select, update

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.competition.matches import blocks
from arena.core.errors import Refusal
from arena.rankings import leaderboards, public_ratings
from arena.rankings.standings import CrosstableCell
from arena.reports import (
    bot_profiles,
    decision_audit,
    decision_times,
    match_queue,
    progress_forecast,
    score_history,
    tournaments,
)
from arena.storage import Store
from arena.storage.schema import Decision, Tournament
from tests import random_tournaments
from tests.decided_matches import (
    NAMES,
    add,
    alphabetical,
    claim,
    fault,
    matches,
    new_tournament,
    play,
    play_on,
)

POOL = ("lost_cities", "standard")


def test_a_leaderboard_knows_who_met_whom_and_who_is_in_form(store: Store) -> None:
    play(store, new_tournament(store, cycles=3).id)
    public_ratings.refresh(store, "lost_cities/standard")
    board = leaderboards.read(store, *POOL)
    assert [row.bot for row in board.rows] == ["greedy", "random", "rusher"]
    best, middle, last = board.rows
    assert (best.wins, best.draws, best.losses, best.form) == (12, 0, 0, (1.0,) * 6)
    assert (middle.wins, middle.losses, sum(middle.form)) == (6, 6, 3.0)
    assert (last.form, last.owner, last.faults) == ((0.0,) * 6, None, 0)
    cells = leaderboards.heads(board, [best.version_id, last.version_id])
    assert cells == ((None, CrosstableCell(6, 0, 0)), (CrosstableCell(0, 0, 6), None))
    assert leaderboards.superiority(store, board)[best.version_id, last.version_id] > 0.9


def test_a_leaderboard_is_that_of_the_last_refresh(store: Store) -> None:
    assert leaderboards.read(store, *POOL).rows == ()
    for cycles in (1, 2):
        play(store, new_tournament(store, cycles=cycles).id)
        before = leaderboards.read(store, *POOL)
        public_ratings.refresh(store, "lost_cities/standard")
        after = leaderboards.read(store, *POOL)
        table = public_ratings.table(store, *POOL)
        assert after.input_sha256 == table.input_sha256 != before.input_sha256
        assert [row.matches for row in after.rows] == [row.matches for row in table.rows]


def test_a_profile_tells_ratings_opponents_matches_and_faults(store: Store) -> None:
    number = new_tournament(store).id
    for block, match in matches(store):
        seat = [each.bot for each in match.seats].index("rusher") if match.set == 2 else None
        result = {} if seat is None or match.match else {"result": fault(2, seat)}
        add(store, block, match, alphabetical(match), **result)
    public_ratings.refresh(store, "lost_cities/standard")
    profile = bot_profiles.read(store, "lost_cities", "rusher")
    assert (profile.house, profile.owner, profile.matches_in_all, profile.faults_in_all) == (True, None, 4, 1)
    (pool,) = profile.pools
    assert [row.version for row in pool.rows] == ["1"]
    assert [(each.bot, each.met) for each in pool.opponents] == [("greedy", 2), ("random", 2)]
    assert len(pool.history) == 1
    (broken,) = profile.faults
    assert (broken.tournament_id, broken.set, broken.kind, broken.reason) == (
        number,
        2,
        "timeout",
        "too late",
    )
    assert {row.set for row in profile.last} <= {0, 1, 2}
    assert len(profile.last) == 4
    with pytest.raises(Refusal, match="bot 'nobody': lost_cities has none of that name"):
        bot_profiles.read(store, "lost_cities", "nobody")


def test_a_faults_reason_is_told_when_its_set_is_over(store: Store) -> None:
    new_tournament(store)
    (block, first), (_, second), *_ = matches(store)
    faulty = first.seats[0].bot
    add(store, block, first, [2, 1], result=fault(2, 0))
    assert [each.reason for each in bot_profiles.read(store, "lost_cities", faulty).faults] == [None]
    add(store, block, second, [1, 2])
    assert [each.reason for each in bot_profiles.read(store, "lost_cities", faulty).faults] == ["too late"]


def test_decision_times_come_from_the_records_of_public_matches(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy").id
    assert decision_times.read(store, bot_profiles.read(store, "lost_cities", "greedy")).decisions == 0
    random_tournaments.play(store, number, limit=1)
    assert decision_times.read(store, bot_profiles.read(store, "lost_cities", "greedy")).decisions == 0
    random_tournaments.play(store, number)
    found = decision_times.read(store, bot_profiles.read(store, "lost_cities", "greedy"))
    assert (found.matches, found.median_ms, found.longest_ms) == (2, 1.5, 1.5)
    assert found.decisions == sum(found.counts) == found.counts[2] > 20


def test_an_agenda_begins_with_what_workers_play(store: Store) -> None:
    number = new_tournament(store, cycles=6).id
    held = claim(store, key=blocks.BlockKey(number, 1))
    agenda = match_queue.match_queue(store, number)
    playing = sorted({match.set for match in held.matches})
    assert (agenda.total, agenda.playing, agenda.first_open) == (18, len(playing), 0)
    upcoming = agenda.take(0, 18)
    assert [each.number for each in upcoming if each.now] == playing
    assert sorted(each.number for each in upcoming) == list(range(18))
    assert agenda.take(len(playing), len(playing) + 2) == upcoming[len(playing) : len(playing) + 2]
    for match in held.matches:
        add(store, held, match, alphabetical(match))
    assert match_queue.match_queue(store, number).playing == 0
    lifecycle.cancel(store, number, OPERATOR)
    assert match_queue.find_matches(store, number, "open", "").total == 0


def test_matches_are_found_by_bot_and_by_how_they_ended(store: Store) -> None:
    number = new_tournament(store).id
    faults = 0
    for block, match in matches(store)[:4]:
        bots = [each.bot for each in match.seats]
        ended = {"result": fault(2, bots.index("greedy"))} if "greedy" in bots and not faults else {}
        faults += len(ended)
        add(store, block, match, alphabetical(match), **ended)
    for wanted, words, total in (
        ("all", "", 6),
        ("all", "rush", 4),
        ("all", "GREEDY@1", 4),
        ("all", "nobody", 0),
        ("played", "", 4),
        ("open", "", 2),
        ("fault", "greedy", 1),
        ("annulled", "", 0),
    ):
        found = match_queue.find_matches(store, number, wanted, words)
        rows = found.take(0, 100)
        assert len(rows) == found.total == total, (wanted, words)
        name = words.partition("@")[0].casefold()
        assert all(name in " ".join(seat.bot for seat in row.seats) for row in rows)


def test_a_wish_that_there_is_not_is_refused(store: Store) -> None:
    with pytest.raises(
        Refusal, match=r"matches.state 'lost': must be one of all, open, played, fault, annulled"
    ):
        match_queue.find_matches(store, new_tournament(store).id, "lost", "")


def test_decisions_are_made_again_from_the_results(store: Store) -> None:
    number = new_tournament(store, names=NAMES[:4], format="swiss", given={"rounds": 2}).id
    assert decision_audit.check(store, number) is None
    play_on(store)
    assert decision_audit.check(store, number) == decision_audit.DecisionAudit(
        followed=3, own=0, wrong=None, untold=False
    )
    with store.write() as session:
        mine = (Decision.tournament_id == number, Decision.number == 1)
        data = session.scalars(select(Decision.data).where(*mine)).one()
        table = re.search(r'"tables":\[\[(\d),(\d)\],\[(\d),(\d)\]\]', data)
        assert table
        other = f'"tables":[[{table[1]},{table[3]}],[{table[2]},{table[4]}]]'
        session.execute(update(Decision).where(*mine).values(data=data.replace(table[0], other)))
        session.execute(update(Tournament).values(revision=Tournament.revision + 1))
    found = decision_audit.check(store, number)
    assert found is not None
    assert found.wrong is not None
    assert found.wrong.startswith("decisions: 1 is")


def test_a_race_ends_at_the_shares_of_the_table(store: Store) -> None:
    number = new_tournament(store, cycles=4).id
    assert score_history.read(store, number).lines == ()
    play(store, number)
    race = score_history.read(store, number)
    assert race.sets == tuple(range(1, 13))
    assert [(line.bot, line.shares[-1]) for line in race.lines] == [
        ("greedy", 1.0),
        ("random", 0.5),
        ("rusher", 0.0),
    ]


def test_the_pace_is_told_with_how_sure_it_is() -> None:
    steady = [10.0 * i for i in range(81)]
    found = progress_forecast.estimate(steady, 30, 805.0)
    assert found is not None
    assert (found.left_s, found.low_s, found.high_s, found.per_minute) == (300.0, 300.0, 300.0, 6.0)
    unsteady = [(10.0 if i // 10 % 2 else 16.0) * i for i in range(81)]
    found = progress_forecast.estimate(sorted(unsteady), 30, max(unsteady))
    assert found is not None
    assert found.low_s < found.left_s < found.high_s
    assert progress_forecast.estimate(steady[:9], 30, 80.0) is None
    assert progress_forecast.estimate(steady, 30, 2000.0) is None


def test_only_a_tournament_that_runs_has_time_left(store: Store) -> None:
    number = new_tournament(store, cycles=10).id
    for block, match in matches(store)[:40]:
        add(store, block, match, alphabetical(match))
    assert progress_forecast.read(store, tournaments.page(store, number), time.time()) is not None
    lifecycle.pause(store, number, OPERATOR)
    assert progress_forecast.read(store, tournaments.page(store, number), time.time()) is None

"""What of old tournaments is kept: records and outputs go after their days, all else stays."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from arena.competition import retention
from arena.competition.retention import RetentionPolicy
from arena.rankings import public_ratings
from arena.reports import bot_logs, exports, match_views, tournament_archive, tournaments
from arena.reports.archive_verification import DecisionMismatch, check
from arena.storage import Store
from arena.storage.schema import MatchOutput, MatchResult, Record, Tournament
from tests import decided_matches, random_tournaments
from tests.reports import test_bot_logs

DAY_S = 86_400.0


def over(store: Store, days: float, *names: str) -> int:
    """Play a tournament that was over so many days ago."""
    number = random_tournaments.create(store, "lost_cities", *(names or ("random", "greedy")), hands=1).id
    random_tournaments.play(store, number)
    age(store, number, days)
    return number


def age(store: Store, number: int, days: float) -> None:
    with store.write() as session:
        ended = time.time() - days * DAY_S
        session.execute(update(Tournament).where(Tournament.id == number).values(finished_at=ended))


def count(store: Store, table: type[Record | MatchOutput]) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_records_of_tournaments_that_ended_long_ago_are_deleted_and_no_others(store: Store) -> None:
    old, new = over(store, 40), over(store, 20)
    running = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, running, 1)
    before = [exports.export(store, number) for number in (old, new, running)]
    assert retention.prune(store, RetentionPolicy(records_days=30)) == retention.Pruned(2, 0, more=False)
    assert [match_views.page(store, old, 0, number).record_kept for number in range(2)] == [False, False]
    assert match_views.page(store, new, 0, 0).record is not None
    assert [exports.export(store, number) for number in (old, new, running)] == before
    random_tournaments.play(store, running)
    assert match_views.page(store, running, 0, 0).record is not None


def test_ratings_are_the_same_without_records(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    random_tournaments.play(store, number)
    age(store, number, 5)
    public_ratings.refresh(store, "lost_cities/standard")
    before = public_ratings.table(store, "lost_cities")
    assert retention.prune(store, RetentionPolicy(records_days=1)).records == 6
    assert not public_ratings.refresh(store, "lost_cities/standard")
    assert public_ratings.table(store, "lost_cities") == before


def test_for_ever_is_for_ever(store: Store) -> None:
    number = over(store, 10_000)
    assert retention.prune(store, RetentionPolicy()) == retention.Pruned(0, 0, more=False)
    assert match_views.page(store, number, 0, 0).record is not None


def test_much_is_deleted_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    over(store, 9, "random", "greedy", "cautious")
    over(store, 9)
    keep, seen = RetentionPolicy(records_days=3), []
    while (pruned := retention.prune(store, keep, batches=1)).more:
        seen.append(pruned.records)
    assert [*seen, pruned.records] == [2, 2, 2, 2, 0]
    assert count(store, Record) == 0


def test_later_only_what_has_become_old_since_is_looked_for(store: Store) -> None:
    first, second = over(store, 9), over(store, 6)
    assert retention.prune(store, RetentionPolicy(records_days=7)).records == 2
    assert retention.prune(store, RetentionPolicy(records_days=7)).records == 0
    assert retention.prune(store, RetentionPolicy(records_days=7), now=time.time() + 2 * DAY_S).records == 2
    with store.read() as session:
        assert not retention.is_kept(session, retention.RECORDS, first)
        assert not retention.is_kept(session, retention.RECORDS, second)
        assert retention.is_kept(session, retention.OUTPUTS, first)


def test_what_bots_printed_goes_by_itself_and_its_author_is_told(store: Store) -> None:
    ada = decided_matches.person(store, "ada")
    test_bot_logs.bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    ids = test_bot_logs.play(store, ada)
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "mine", ids[0])
    assert (log.row.output_kept, log.row.record_kept) == (True, True)
    with store.read() as session:
        age(store, session.scalars(select(MatchResult.tournament_id)).first() or 0, 31)
    assert count(store, MatchOutput) == 4
    assert retention.prune(store, RetentionPolicy(records_days=60, outputs_days=30)).outputs == 4
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "mine", ids[0])
    assert (log.stderr, log.row.output_kept, log.row.record_kept) == ("", False, True)
    assert log.timings
    assert retention.prune(store, RetentionPolicy(records_days=30, outputs_days=30)).records == 2
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "mine", ids[0])
    assert (log.timings, log.row.record_kept, log.row.end) == ((), False, "completed")


# --- archives -------------------------------------------------------------------------------------------------


def written(store: Store, number: int, file: Path) -> Path:
    target = io.BytesIO()
    tournament_archive.write(store, number, target)
    file.write_bytes(target.getvalue())
    return file


def test_an_archive_says_which_records_are_not_kept_and_the_rest_is_checked(
    store: Store, tmp_path: Path
) -> None:
    number = over(store, 9, "random", "greedy", "cautious")
    retention.prune(store, RetentionPolicy(records_days=3))
    found = check(written(store, number, tmp_path / "t.zip"), lambda _done, _total: None)
    assert (found.matches, found.records, found.not_kept) == (6, 0, 6)


def test_a_result_that_was_changed_is_found_without_records_too(store: Store, tmp_path: Path) -> None:
    number = over(store, 9, "random", "greedy", "cautious")
    retention.prune(store, RetentionPolicy(records_days=3))
    with store.write() as session:
        first = session.scalars(select(MatchResult).order_by(MatchResult.id)).first()
        assert first is not None
        first.places = "2 1" if first.places == "1 2" else "1 2"
    with pytest.raises(DecisionMismatch, match="input_sha256"):
        check(written(store, number, tmp_path / "t.zip"), lambda _done, _total: None)


def test_a_half_pruned_tournament_is_checked_where_it_has_records(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    number = over(store, 9, "random", "greedy", "cautious")
    assert retention.prune(store, RetentionPolicy(records_days=3), batches=1).more
    found = check(written(store, number, tmp_path / "t.zip"), lambda _done, _total: None)
    assert (found.matches, found.records, found.not_kept) == (6, 4, 2)
    assert tournaments.row(store, number).state == "finished"

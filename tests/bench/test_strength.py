"""`make bench-strength` plays what is missing, keeps what it has, and says what does not hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.strength import Contest, Interval, Results, contests, estimate, longer, main

QUICK = ("teotlatolli", "--quick", "--sets", "2", "--processes", "2", "--out")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("strength") / "results.jsonl"
    main([*QUICK, str(out)])
    return out


def test_quick_run_plays_each_contest(played: Path) -> None:
    results = Results(played)
    for contest in contests(["teotlatolli"], 0.001):
        assert results.interval(contest).sets == 2


def test_second_run_plays_nothing_again(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = played.read_text()
    main([*QUICK, str(played)])
    assert played.read_text() == before
    assert "greedy – random" in capsys.readouterr().out


def test_run_goes_on_after_a_line_that_was_cut_off(played: Path, tmp_path: Path) -> None:
    whole = played.read_text()
    cut = tmp_path / "cut.jsonl"
    cut.write_text(whole[:-30])
    assert len(Results(cut).missing(contests(["teotlatolli"], 0.001), 2)) <= 1


def test_results_of_other_code_do_not_count(played: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    rows = [json.loads(line) | {"code": "0" * 12} for line in played.read_text().splitlines()]
    old.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert len(Results(old).missing(contests(["teotlatolli"], 0.001), 2)) == len(
        Results(tmp_path / "none").missing(contests(["teotlatolli"], 0.001), 2)
    )


def test_search_thinks_longer_only_where_it_must(tmp_path: Path) -> None:
    results = Results(tmp_path / "none")
    needs, does_not = (Contest("land_unter", "standard", seats, "search", "greedy", 0.1) for seats in (3, 4))
    results.shares[does_not] = dict(enumerate([0.9, 0.8] * 4))
    assert longer(results, [needs, does_not], 1.0) == [needs._replace(seconds=1.0)]


def test_contest_is_looked_at_only_when_all_sets_of_a_look_are_played(tmp_path: Path) -> None:
    results = Results(tmp_path / "none")
    contest = Contest("land_unter", "standard", 3, "search", "greedy", 0.1)
    results.shares[contest] = dict(enumerate([0.9, 0.8] * 4))
    assert results.decided(contest) == estimate([0.9, 0.8] * 4)
    del results.shares[contest][7]
    assert results.decided(contest) is None


def test_contest_that_is_decided_stays_so_whatever_is_played_later(tmp_path: Path) -> None:
    results = Results(tmp_path / "none")
    contest = Contest("land_unter", "standard", 3, "search", "greedy", 0.1)
    results.shares[contest] = dict(enumerate([*[0.9, 0.8] * 4, *[0.1] * 8]))
    assert results.interval(contest).sets == 8


def test_interval_is_students() -> None:
    found = estimate([0.5, 0.7, 0.6, 0.8])
    assert (found.sets, round(found.mean, 3), round(found.half, 3)) == (4, 0.65, 0.313)


@pytest.mark.parametrize(
    ("interval", "holds"), [(Interval(9, 0.6, 0.09), True), (Interval(9, 0.6, 0.11), False)]
)
def test_what_holds_lies_above_even_with_all_of_its_interval(interval: Interval, holds: bool) -> None:  # noqa: FBT001
    assert interval.holds is holds


def test_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["chess"])
    assert "must be one of lost_cities" in capsys.readouterr().err

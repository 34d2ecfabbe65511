"""The headline says whether all is well, and if not, why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.operations.match_pace import MatchPace
from arena.operations.public_status import (
    FiguresStatus,
    PartCounts,
    QueueStatus,
    StatusFacts,
    UploadTimes,
    percentile,
)
from arena.operations.status_headline import judge

PARTS = PartCounts(1, 2, 1)
UPLOADS = UploadTimes(waiting=0, oldest_s=None, verdicts=0, median_s=None, percentile_99_s=None)
QUEUE = QueueStatus(waiting=3, playing=2, resting=0, oldest_s=4.0)
WELL = StatusFacts(
    at=0.0,
    writable=True,
    redis=True,
    redis_writable=True,
    parts=PARTS,
    uploads=UPLOADS,
    queue=QUEUE,
    figures=FiguresStatus(waiting=1, oldest_s=20.0),
    pace=MatchPace(40.0, 300, ()),
    backup_at=None,
)


def test_all_is_well_where_everything_runs_and_nothing_waits_long() -> None:
    assert (judge(WELL).state, judge(WELL).problems) == ("ok", ())


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (replace(WELL, writable=False), "not_writable"),
        (replace(WELL, redis_writable=False, parts=PartCounts(None, None, None)), "redis_refuses_writes"),
        (
            replace(WELL, redis=False, redis_writable=False, parts=PartCounts(None, None, None)),
            "redis_unavailable",
        ),
        (replace(WELL, parts=replace(PARTS, workers=0)), "no_workers"),
        (replace(WELL, parts=replace(PARTS, referees=0)), "no_referees"),
    ],
)
def test_what_does_not_work_is_named(facts: StatusFacts, code: str) -> None:
    headline = judge(facts)
    assert (headline.state, [problem.code for problem in headline.problems]) == ("down", [code])


def test_an_upload_that_waits_for_minutes_makes_qualifying_slow() -> None:
    headline = judge(replace(WELL, uploads=replace(UPLOADS, waiting=1, oldest_s=240.0)))
    (problem,) = headline.problems
    assert headline.state == "slow"
    assert problem.message == "Qualifying is slow: the oldest upload has waited 4 min"


def test_an_upload_that_waits_for_a_minute_is_nothing_unusual() -> None:
    assert judge(replace(WELL, uploads=replace(UPLOADS, waiting=1, oldest_s=60.0))).state == "ok"


def test_figures_that_wait_for_minutes_are_late() -> None:
    (problem,) = judge(replace(WELL, figures=FiguresStatus(waiting=27, oldest_s=2037.0))).problems
    assert (problem.code, problem.message) == (
        "late_figures",
        "Chances, drama and playing styles are late: the oldest has waited 34 min",
    )


def test_a_queue_stands_still_where_jobs_wait_and_no_match_ends() -> None:
    still = replace(WELL, queue=replace(QUEUE, oldest_s=900.0), pace=MatchPace(0.0, 300, ()))
    assert [problem.code for problem in judge(still).problems] == ["stalled"]
    assert judge(replace(still, pace=WELL.pace)).state == "ok"


def test_what_does_not_work_comes_before_what_is_slow() -> None:
    both = replace(
        WELL, parts=replace(PARTS, referees=0), uploads=replace(UPLOADS, waiting=1, oldest_s=240.0)
    )
    assert judge(both).state == "down"
    assert [problem.code for problem in judge(both).problems] == ["no_referees", "slow_uploads"]


@pytest.mark.parametrize(
    ("values", "median", "last"),
    [([7.0], 7.0, 7.0), ([1.0, 2.0, 3.0], 2.0, 3.0), ([float(n) for n in range(1, 201)], 100.0, 198.0)],
)
def test_percentiles_are_values_that_occurred(values: list[float], median: float, last: float) -> None:
    assert (percentile(values, 50), percentile(values, 99)) == (median, last)


def test_nothing_has_no_percentile() -> None:
    assert percentile([], 50) is None

"""What a referee counts of decisions and of the processes that it starts, as a scrape reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from arena.games.kernel import Played
from arena.match.record import Record
from arena.referee_client import Finished
from referee.metrics.referee_collector import RefereeCollector
from referee.metrics.time_buckets import BOUNDS_MS, TimeBuckets
from tests.monitoring.scraping import value
from tests.referee.bots.test_hosted_bots import own_bot
from tests.referee.running_referee import House, good_bots, house_bot, order


def scrape(house: House) -> str:
    """Return the metrics of a referee as Prometheus reads them."""
    registry = CollectorRegistry()
    registry.register(RefereeCollector(house.referee.dispatcher.tally, house.referee.state))
    return generate_latest(registry).decode()


def answered(record: Record, seat: int) -> int:
    """Count the answers of a seat; what the platform played for it took no time."""
    return sum(
        isinstance(each.step, Played) and each.step.seat == seat and bool(each.ms) for each in record.steps
    )


async def test_answers_are_counted_by_where_the_bot_runs(house: House) -> None:
    async with good_bots(house, "c"):
        ended = (await house.play(order("m", "c", house_bot())))["m"]
        assert isinstance(ended, Finished)
        text = scrape(house)
    counts = {
        bot: value(text, "arena_decision_seconds_count", bot=bot) for bot in ("hosted", "remote", "person")
    }
    remote, hosted = (answered(ended.record, seat) for seat in (0, 1))
    assert remote > 0
    assert hosted > 0
    assert counts == {"hosted": hosted, "remote": remote, "person": 0}


async def test_the_times_of_slow_answers_are_summed_up_and_in_later_buckets(
    house: House, tmp_path: Path
) -> None:
    ended = (await house.play(order("m", own_bot(tmp_path, "time.sleep(0.03)"), house_bot())))["m"]
    assert isinstance(ended, Finished)
    slow = answered(ended.record, 0)
    text = scrape(house)
    count = value(text, "arena_decision_seconds_count", bot="hosted")
    total_s = value(text, "arena_decision_seconds_sum", bot="hosted")
    at_once = value(text, "arena_decision_seconds_bucket", bot="hosted", le="0.025")
    assert count is not None
    assert total_s is not None
    assert at_once is not None
    assert total_s >= 0.03 * slow
    assert count - at_once >= slow / 2  # of an answer's time the referee takes off what the machine was late


async def test_starts_of_processes_are_counted_by_how_and_timed_until_the_hello(
    house: House, tmp_path: Path
) -> None:
    await house.play(order("m", own_bot(tmp_path), house_bot()))
    text = scrape(house)
    for by in ("fork", "program"):
        assert value(text, "arena_bot_starts_total", by=by) == 1
        assert value(text, "arena_bot_start_seconds_count", by=by) == 1
        assert value(text, "arena_bot_start_seconds_sum", by=by)


async def test_processes_without_a_match_are_idle_and_use_no_slot(house: House) -> None:
    await house.play(order("m", house_bot(), house_bot("greedy")))
    text = scrape(house)
    assert value(text, "arena_bot_processes_idle") == value(text, "arena_bot_processes") == 2
    assert value(text, "arena_slots_in_use") == 0
    slots = value(text, "arena_slots")
    assert slots is not None
    assert slots >= 1


@pytest.mark.parametrize("bucket", range(len(BOUNDS_MS)))
def test_a_time_belongs_to_the_first_bucket_whose_bound_it_does_not_exceed(bucket: int) -> None:
    times = TimeBuckets()
    times.add(BOUNDS_MS[bucket])
    times.add(BOUNDS_MS[bucket] + 0.01)
    assert times.counts[bucket] == times.counts[bucket + 1] == 1
    assert sum(times.counts) == 2

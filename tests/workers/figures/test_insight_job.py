"""The jobs that workers turn to when nothing else waits: a match's chances, stored once, for open matches alone; styles."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from arena.competition import retention
from arena.competition.retention import RetentionPolicy
from arena.games import kept, registry
from arena.match.chances import Estimate
from arena.match.choice_chances import ChoiceEstimate
from arena.match.record import from_json
from arena.match.score_series import shown_states
from arena.messaging import job_queue
from arena.reports import match_views
from arena.reports.insights import stored_chances, stored_dramas, stored_styles
from arena.reports.insights.insight_registry import INSIGHTS
from arena.reports.insights.stored_chances import ChoiceKey
from arena.storage.schema import Entry, MatchChances
from tests import random_tournaments
from tests.decided_matches import new_tournament
from tests.patience import wait_until
from workers.context import Context
from workers.figures import insight_job
from workers.redis_courier import Courier
from workers.referee_selection import Referees

if TYPE_CHECKING:
    from collections.abc import Callable

    from redis import Redis

    from arena.storage import Store

_CHOICES = (ChoiceEstimate("play R2", 0.5, 0.1), ChoiceEstimate("discard R2", 0.25, 0.05))
_SOME = (Estimate(0, (0.5, 0.5), (0.1, 0.1)), Estimate(7, (1.0, 0.0), (0.0, 0.0)))


_JOBS = """
import sys
from arena.games import registry
from arena.match import drama, score_series
from arena.match.chances import estimate_chances
from arena.match.record import from_json
from workers import __main__
from workers.figures import insight_job

insight_job.prepare_games()
loaded = set(sys.modules)
for package in registry.PACKAGES.values():
    record = from_json((package.docs / "match.json").read_text())
    estimate_chances(record, package.search_plan, 10)
    drama.measure(score_series.of_record(record))
loaded.add("_sha2")  # of Python itself: `random` begins with a text by it
print(sorted(set(sys.modules) - loaded))
"""

_REPLAYS = """
import random
from arena.games import registry
from arena.games.kept import Kept
from arena.games.lost_cities import view_builder
from arena.match.score_series import score_series
from workers.figures import insight_job

def play():
    state, _ = game.new(game.setup(2, options={"hands": 9}), bytes(32))
    while decisions := game.to_act(state):
        yield state
        answers = [draw.choice(game.legal(state, decision.seat)) for decision in decisions]
        state, _ = game.apply(state, answers)

insight_job.prepare_games()
draw = random.Random(1)
game = registry.PACKAGES["lost_cities"].game
positions = len(score_series(game.id, play(), 2))
print(positions, *[len(each) for each in vars(view_builder).values() if isinstance(each, Kept)])
"""


def rows(store: Store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(MatchChances)) or 0


def test_worker_computes_the_chances_of_an_open_match_and_measures_styles_and_dramas(
    start: Callable[[], subprocess.Popen[bytes]], store: Store, client: Redis
) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number)
    places = [seat.place for seat in match_views.page(store, number, 0, 0).seats]
    version = _version_of(store, number)
    assert job_queue.enqueue_insight(client, "chances", number, 0, 0)
    assert job_queue.enqueue_insight(client, "style", version, "standard")
    choice = _some_choice(store, number)
    assert job_queue.enqueue_insight(client, "choices", *choice)
    assert job_queue.enqueue_insight(client, "drama", number, "0")
    assert job_queue.enqueue_insight(client, "newest_drama")
    start()
    wait_until(lambda: rows(store) == 1, "the chances are stored", within_s=90)
    found = stored_chances.OF_MATCHES.load(store, number, 0, 0)
    assert found is not None
    assert found[0].point == 0
    assert [share > 0.5 for share in found[-1].shares] == [place == 1 for place in places]
    wait_until(lambda: _is_measured(store, version), "the style is stored", within_s=90)
    wait_until(
        lambda: stored_chances.OF_CHOICES.load(store, *choice) is not None,
        "the choice is stored",
        within_s=90,
    )
    of_match = (number, 0, 0)
    wait_until(
        lambda: stored_dramas.load(store, [of_match])[of_match] is not None,
        "the drama is stored",
        within_s=90,
    )


def test_nothing_is_computed_for_a_match_that_is_not_open(store: Store, client: Redis) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
    random_tournaments.play(store, number)
    choice = ChoiceKey(number, 0, 0, 1, 0)
    here = Context("ann", store, Courier(client), Referees(["127.0.0.1:1"]), 60.0)
    assert match_views.page(store, number, 0, 0).state == "hidden"
    tick = insight_job.Tick(here)
    assert not INSIGHTS["chances"].derive_named(store, f"{number} 0 0", tick)
    assert not INSIGHTS["choices"].derive_named(store, " ".join(map(str, choice)), tick)
    assert rows(store) == 0
    assert stored_chances.OF_CHOICES.load(store, *choice) is None


def _version_of(store: Store, number: int) -> int:
    with store.read() as session:
        return session.scalars(select(Entry.version_id).where(Entry.tournament_id == number)).all()[0]


def _some_choice(store: Store, number: int) -> ChoiceKey:
    """A late choice of the first match, after which little is to be played."""
    text = match_views.page(store, number, 0, 0).record
    assert text is not None
    rules, states = registry.find("lost_cities"), list(shown_states(from_json(text)))
    point = next(
        point
        for point in reversed(range(len(states)))
        for decision in rules.to_act(states[point])
        if len(rules.legal(states[point], decision.seat)) > 1
    )
    return ChoiceKey(number, 0, 0, point, rules.to_act(states[point])[0].seat)


def _is_measured(store: Store, version: int) -> bool:
    return stored_styles.load(store, version, "lost_cities", "standard", 2).style is not None


def test_chances_are_read_as_they_were_stored(store: Store) -> None:
    number = new_tournament(store).id
    for _ in range(2):
        stored_chances.OF_MATCHES.save(store, (number, 0, 1), _SOME)
    assert stored_chances.OF_MATCHES.load(store, number, 0, 1) == _SOME
    assert stored_chances.OF_MATCHES.load(store, number, 0, 0) is None


def test_chances_of_a_choice_are_read_as_they_were_stored(store: Store) -> None:
    key = ChoiceKey(new_tournament(store).id, 0, 1, 12, 1)
    for _ in range(2):
        stored_chances.OF_CHOICES.save(store, key, _CHOICES)
    assert stored_chances.OF_CHOICES.load(store, *key) == _CHOICES
    assert stored_chances.OF_CHOICES.load(store, *key._replace(seat=0)) is None


def test_choice_is_queued_once_while_it_waits(client: Redis) -> None:
    assert job_queue.enqueue_insight(client, "choices", 3, 0, 1, 12, 1)
    assert not job_queue.enqueue_insight(client, "choices", 3, 0, 1, 12, 1)
    assert job_queue.enqueue_insight(client, "choices", 3, 0, 1, 1, 12)


def test_chances_go_with_the_records(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number)
    stored_chances.OF_MATCHES.save(store, (number, 0, 0), _SOME)
    stored_chances.OF_CHOICES.save(store, ChoiceKey(number, 0, 0, 12, 1), _CHOICES)
    retention.prune(store, RetentionPolicy(records_days=1e-9))
    assert rows(store) == 0
    assert stored_chances.OF_CHOICES.load(store, *ChoiceKey(number, 0, 0, 12, 1)) is None


def test_match_is_queued_once(client: Redis) -> None:
    assert job_queue.enqueue_insight(client, "chances", 3, 0, 1)
    assert not job_queue.enqueue_insight(client, "chances", 3, 0, 1)


def test_style_is_queued_once(client: Redis) -> None:
    assert job_queue.enqueue_insight(client, "style", 3, "bright_house")
    assert not job_queue.enqueue_insight(client, "style", 3, "bright_house")


def test_drama_of_a_list_is_queued_once_while_it_waits(client: Redis) -> None:
    assert job_queue.enqueue_insight(client, "drama", 3, "4,5")
    assert not job_queue.enqueue_insight(client, "drama", 3, "4,5")
    assert job_queue.enqueue_insight(client, "drama", 3, "4")
    assert job_queue.enqueue_insight(client, "newest_drama")
    assert not job_queue.enqueue_insight(client, "newest_drama")


def test_queue_of_chances_is_bounded(client: Redis) -> None:
    asked = [job_queue.enqueue_insight(client, "chances", 3, number, 0) for number in range(60)]
    assert asked == [True] * 50 + [False] * 10
    assert not job_queue.enqueue_insight(client, "style", 3, "standard")
    assert not job_queue.enqueue_insight(client, "newest_drama")


def test_games_that_cannot_be_loaded_are_logged_and_keep_no_worker_from_its_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(registry.package("land_unter"), module="tests.games.none")
    monkeypatch.setattr(registry, "PACKAGES", {"land_unter": broken})
    monkeypatch.setattr(kept, "MAX_KEPT", 0)  # and set back to what it was
    insight_job.prepare_games()
    assert "loading game land_unter" in caplog.text


def test_once_the_games_are_prepared_estimates_and_dramas_load_nothing_more() -> None:
    told = subprocess.run([sys.executable, "-c", _JOBS], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_of_the_positions_that_a_worker_replays_it_keeps_few() -> None:
    told = subprocess.run([sys.executable, "-c", _REPLAYS], capture_output=True, text=True, check=True)
    positions, *kept_parts = map(int, told.stdout.split())
    assert positions > 500
    assert kept_parts
    assert max(kept_parts) <= kept.MAX_KEPT_IN_REPLAYS

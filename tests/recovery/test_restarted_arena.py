"""`arena up` itself: killed, or stopped, and started again on the same data."""

from collections.abc import Iterator

import pytest

from tests.parts.arena_process import RunningArena, lives
from tests.patience import wait_until
from tests.recovery.conftest import Running


def gone(pids: list[int]) -> bool:
    return not any(map(lives, pids))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    """An arena that each test stops, and starts again."""
    with RunningArena(tmp_path_factory.mktemp("whole") / "data") as arena:
        yield arena


@pytest.fixture
def running(whole: RunningArena) -> Iterator[Running]:
    store = whole.open_store()
    running = Running(whole, store)
    running.until_the_middle()
    yield running
    store.close()


def links(arena: RunningArena) -> int:
    """How often it has shown a link for the admin."""
    return arena.output().count("/sign-in/link?code=")


def test_no_child_stays_when_it_is_killed_and_the_next_start_goes_on(
    whole: RunningArena, running: Running, undisturbed: str
) -> None:
    pids = whole.all_pids()
    assert len(pids) >= 6  # Redis, referee, its bots, two workers, web.
    whole.process.kill()
    whole.process.wait()
    wait_until(lambda: gone(pids), "all are gone", within_s=2)
    before = running.done
    whole.start()
    assert running.export() == undisturbed
    assert before < running.done


def test_stopping_loses_nothing_and_the_next_start_goes_on(
    whole: RunningArena, running: Running, undisturbed: str
) -> None:
    pids, before, shown = whole.all_pids(), running.done, links(whole)
    assert shown > 0
    assert whole.stop() == 0
    assert gone(pids)
    assert running.done >= before
    whole.start()
    assert running.export() == undisturbed
    assert links(whole) == shown + 1  # each start shows one until somebody has signed in

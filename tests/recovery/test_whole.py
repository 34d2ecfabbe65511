"""`arena up` itself: killed, or stopped, and started again on the same data."""

from pathlib import Path

from tests.arena import RunningArena, lives
from tests.parts import wait_until
from tests.recovery.conftest import Running


def gone(pids: list[int]) -> bool:
    return not any(map(lives, pids))


def test_no_child_stays_when_it_is_killed_and_the_next_start_goes_on(data: Path, undisturbed: str) -> None:
    with RunningArena(data) as arena:
        store = arena.open_store()
        tournament = Running(arena, store)
        tournament.until_the_middle()
        pids = arena.all_pids()
        assert len(pids) >= 6  # Redis, referee, its bots, two workers, web.
        arena.process.kill()
        arena.process.wait()
        wait_until(lambda: gone(pids), "all are gone", within_s=2)
        before = tournament.done
        arena.start()
        assert tournament.export() == undisturbed
        assert before < tournament.done


def test_stopping_loses_nothing_and_the_next_start_goes_on(data: Path, undisturbed: str) -> None:
    with RunningArena(data) as arena:
        store = arena.open_store()
        tournament = Running(arena, store)
        tournament.until_the_middle()
        pids = arena.all_pids()
        before = tournament.done
        assert arena.stop() == 0
        assert gone(pids)
        assert tournament.done >= before
        arena.start()
        assert tournament.export() == undisturbed
        assert arena.output().count("/sign-in/link?code=") == 2  # nobody has used the first one

"""Turns: while both wait, trials have a third of the workers' time, whatever each of their matches takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.scheduling.fair_share import ROUND_S, SLICE_S, TRIALS_SHARE, after, is_trials_turn, time_slice_s

LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=8)


@given(workers=st.integers(1, 6), trials=LENGTHS, blocks=LENGTHS)
def test_trials_have_their_share_of_the_workers_time_and_tournaments_theirs(
    workers: int, trials: list[int], blocks: list[int]
) -> None:
    """Each worker plays what it took for some seconds, which are counted one by one; then it takes what is due."""
    lengths = {True: trials, False: blocks}
    taken, played = {True: 0, False: 0}, {True: 0, False: 0}
    busy = [(False, 0)] * workers
    ahead = 0.0
    for _ in range(3000):
        for worker in range(workers):
            kind, left = busy[worker]
            if not left:
                kind = is_trials_turn(ahead)
                left = lengths[kind][taken[kind] % len(lengths[kind])]
                taken[kind] += 1
            busy[worker] = kind, left - 1
            played[kind] += 1
            ahead = after(ahead, 1, trial=kind)
    longest = workers * max(*trials, *blocks)
    share = TRIALS_SHARE * sum(played.values())
    assert abs(played[True] - share) <= longest + 1


def test_a_trial_goes_first_when_neither_has_been_served() -> None:
    assert is_trials_turn(0.0)
    assert not is_trials_turn(after(0.0, 1, trial=True))


@given(tournaments=st.integers(1, 10_000))
def test_all_tournaments_have_had_a_time_slice_within_a_minute(tournaments: int) -> None:
    assert 0 < time_slice_s(tournaments) <= SLICE_S
    assert tournaments * time_slice_s(tournaments) <= ROUND_S * 1.000001

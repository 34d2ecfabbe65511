from referee.limits.cpu_slots import Slots


class Thinker:
    def __init__(self) -> None:
        self.slots = 0

    def on_slot_granted(self) -> None:
        self.slots += 1


def test_slots_are_given_until_there_are_none() -> None:
    slots = Slots(2)
    assert [slots.acquire(Thinker()) for _ in range(3)] == [True, True, False]


def test_slot_that_is_given_back_goes_to_whoever_waits_longest() -> None:
    slots = Slots(1)
    first, second, third = Thinker(), Thinker(), Thinker()
    slots.acquire(first)
    slots.acquire(second)
    slots.acquire(third)
    slots.release()
    assert (second.slots, third.slots) == (1, 0)
    slots.release()
    assert (second.slots, third.slots) == (1, 1)


def test_whoever_leaves_the_line_gets_no_slot() -> None:
    slots = Slots(1)
    gone, waiting = Thinker(), Thinker()
    slots.acquire(Thinker())
    slots.acquire(gone)
    slots.acquire(waiting)
    slots.forget(gone)
    slots.release()
    assert (gone.slots, waiting.slots) == (0, 1)


def test_slots_are_contended_while_one_is_queued_for() -> None:
    slots = Slots(1)
    slots.acquire(Thinker())
    assert not slots.is_contended
    slots.acquire(Thinker())
    assert slots.is_contended

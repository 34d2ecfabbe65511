"""Seats that the arena holds itself leave nothing behind at the referee."""

from __future__ import annotations

from arena.referee_client import HumanSource, Postponed
from tests.referee.running_referee import House, house_bot, order


async def test_seat_in_which_nobody_sat_down_is_forgotten(house: House) -> None:
    ended = await house.play(order("m", HumanSource("empty"), house_bot("greedy")))
    assert isinstance(ended["m"], Postponed)
    assert HumanSource("empty") not in {guest.source for guest in house.referee.dispatcher.bots()}

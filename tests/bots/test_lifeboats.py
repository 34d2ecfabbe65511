"""The house bots for Lifeboats, in all of its forms."""

from __future__ import annotations

from hashlib import sha256
from itertools import product

import pytest

from arena.games import registry
from arena.games.lifeboats import LIFEBOATS
from arena.sdk import practise
from bots.catalogue import house_bot

FORMS = [
    (variant, seats, dealt)
    for (variant, counts), dealt in product(LIFEBOATS.variants.items(), (0, 1))
    for seats in counts
]
SEEDS = tuple(sha256(bytes((number,))).digest() for number in range(4))


@pytest.mark.parametrize(("variant", "seats", "dealt"), FORMS)
def test_greedy_beats_random(variant: str, seats: int, dealt: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, LIFEBOATS.id, LIFEBOATS)
    names = ["greedy", *["random"] * (seats - 1)]
    bots = [house_bot("lifeboats", name) for name in names]
    options = {"dealt": dealt}
    margin = 0.0
    for seed in SEEDS:
        scores = practise("lifeboats", bots, seed=seed, variant=variant, options=options).scores
        margin += scores[0] - sum(scores[1:]) / (seats - 1)
    assert margin / len(SEEDS) > 2

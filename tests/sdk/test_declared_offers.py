"""What `run` takes: a bot, or the class of one that takes no arguments."""

from __future__ import annotations

import pytest

from arena.core.errors import UsageError
from arena.sdk import Bot, Decision
from arena.sdk.bot import bot_of
from arena.sdk.conversation import Player


class Mine(Bot[object]):
    def choose(self, decision: Decision[object]) -> str:
        return decision.legal[0]


class Trained(Mine):
    def __init__(self, weights: str) -> None:
        self.weights = weights


class Unfinished(Bot[object]):
    pass


def test_a_class_is_made_a_bot_of() -> None:
    assert isinstance(bot_of(Mine), Mine)


def test_a_bot_is_taken_as_it_is() -> None:
    bot = Trained("net")
    assert bot_of(bot) is bot


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Trained, r"Trained is a class: make a bot of it, such as Trained\(…\), .* 'weights'"),
        (Unfinished, "abstract"),
        (None, r"None: must be a bot: an object of a class that derives from arena\.sdk\.Bot"),
        (object, "must be a bot"),
    ],
)
def test_anything_else_is_refused_at_once(given: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        bot_of(given)


def offers(**declared: object) -> list[tuple[str, list[str], list[int]]]:
    hello = Player(type("Declares", (Mine,), declared)()).hello().messages[0].hello
    return [(offer.game, list(offer.variants), list(offer.seat_counts)) for offer in hello.games]


def test_the_hello_offers_what_the_bot_declares() -> None:
    assert offers() == []
    assert offers(games=("bottle_imp",)) == [("bottle_imp", [], [])]
    assert offers(games=("bottle_imp",), variants=("standard",)) == [("bottle_imp", ["standard"], [3, 4])]
    assert offers(games=("bottle_imp", "lost_cities"), seat_counts=(2,)) == [
        ("bottle_imp", ["lopaka"], [2]),
        ("bottle_imp", ["bright_house"], [2]),
        ("lost_cities", ["standard"], [2]),
    ]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"games": ("bottle_imp",), "variants": ("x",)}, "variants 'x': .* standard"),
        ({"games": ("bottle_imp",), "seat_counts": (7,)}, "seat_counts 7: "),
        ({"variants": ("standard",)}, r"games \(\): .* names its games"),
        ({"games": ("bottle_imp",), "variants": "standard"}, "variants 'standard': must be a tuple"),
        ({"games": ("bottle_imp",), "seat_counts": 3}, "seat_counts 3: must be a tuple"),
    ],
)
def test_a_declaration_that_no_game_has_is_refused(declared: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        offers(**declared)

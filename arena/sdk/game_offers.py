"""The games of a bot's Hello, with the variants and seat counts that it declares."""

from __future__ import annotations

from typing import Any

from arena.core.errors import UsageError
from arena.sdk.bot import Bot
from arena.v1.bot_pb2 import GameOffer


def game_offers(bot: Bot[Any]) -> list[GameOffer]:
    """Return what a bot offers to play; of several games each has those of its variants and seat counts that exist there.

    Raises UsageError naming those that there are.
    """
    _check_lists(bot)
    if not bot.variants and not bot.seat_counts:
        return [GameOffer(game=game) for game in bot.games]
    if not bot.games:
        raise UsageError(
            'games (): a bot that declares variants or seat counts names its games, too, such as games = ("bottle_imp",)'
        )
    from arena.declarations import declared_tables  # noqa: PLC0415 - most bots start without the rules

    declared_tables.check(bot.games, bot.variants, bot.seat_counts)
    offers = []
    for game in bot.games:
        tables = declared_tables.declared(game, [(bot.variants, bot.seat_counts)])
        if tables.counts is None:  # a game that is not installed here
            offers.append(GameOffer(game=game, variants=bot.variants, seat_counts=bot.seat_counts))
        else:
            offers += [
                GameOffer(game=game, variants=[variant], seat_counts=counts)
                for variant, counts in tables.counts.items()
            ]
    return offers


def _check_lists(bot: Bot[Any]) -> None:
    for field, kind in (("games", str), ("variants", str), ("seat_counts", int)):
        value = getattr(bot, field)
        if isinstance(value, str | int) or not all(type(each) is kind for each in value):
            example = "(2, 3)" if kind is int else '("standard",)'
            raise UsageError(f"{field} {value!r}: must be a tuple, such as {example}")

"""The tables at which a bot plays a game: variants, each with numbers of seats, as the bot declares them.

A bot declares variants and seat counts, each as a list; an empty list means all.  It plays the tables of the game that
have one of these variants and one of these seat counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.games import registry


@dataclass(frozen=True, slots=True)
class DeclaredTables:
    """The tables of one game that a bot plays: by variant, in the game's order, the seat counts; None: all of the game."""

    counts: Mapping[str, tuple[int, ...]] | None = None

    def include(self, variant: str, seats: int) -> bool:
        """Return whether the bot plays this table."""
        return self.counts is None or seats in self.counts.get(variant, ())

    def of_game(self, game: str) -> Mapping[str, tuple[int, ...]]:
        """Return all of them by variant; nothing for a game that is not installed."""
        if self.counts is not None:
            return self.counts
        if not registry.is_known(game):
            return {}
        return {variant: tuple(counts) for variant, counts in registry.find(game).variants.items()}

    def words(self, game: str) -> str:
        """Name them: `standard at 3–4 seats, lopaka at 2 seats`."""
        return words(self.of_game(game))

    def to_text(self) -> str | None:
        """Write them down, as the column `version.plays` has them; None for all."""
        if self.counts is None:
            return None
        return json.dumps({variant: list(counts) for variant, counts in self.counts.items()})


ALL = DeclaredTables()
NONE = DeclaredTables({})


class GameOffer(NamedTuple):
    """A game with the variants and seat counts that a bot plays, as its `Hello` declares them; empty means all."""

    game: str
    variants: tuple[str, ...]
    seat_counts: tuple[int, ...]


class _Message(Protocol):
    """The message `arena.v1.GameOffer`."""

    @property
    def game(self) -> str: ...
    @property
    def variants(self) -> Sequence[str]: ...
    @property
    def seat_counts(self) -> Sequence[int]: ...


def read_offers(messages: Iterable[_Message]) -> tuple[GameOffer, ...]:
    """Read the offers of a `Hello`."""
    return tuple(GameOffer(each.game, tuple(each.variants), tuple(each.seat_counts)) for each in messages)


def offered(offers: Sequence[GameOffer], game: str) -> DeclaredTables:
    """Return the tables of a game that a `Hello` with these offers declares: all if it names no game at all."""
    mine = [(offer.variants, offer.seat_counts) for offer in offers if offer.game == game]
    if not offers:
        return ALL
    return declared(game, mine) if mine else NONE


def from_text(text: str | None) -> DeclaredTables:
    """Read what `to_text` has written."""
    if text is None:
        return ALL
    return DeclaredTables({variant: tuple(counts) for variant, counts in json.loads(text).items()})


def has_choice(game: str) -> bool:
    """Return whether a game has several tables, so that a bot may play some of them only.  Raises UsageError for an unknown game."""
    return sum(map(len, registry.find(game).variants.values())) > 1


def words(tables: Mapping[str, Sequence[int]]) -> str:
    """Name tables: `standard at 3–4 seats, lopaka at 2 seats`."""
    named = [
        say("{variant} at {seats} seats", variant=variant, seats=seat_words(counts))
        for variant, counts in tables.items()
    ]
    if not named:
        return say("nothing of this game")
    listed = named[0]
    for each in named[1:]:
        listed = say("{before}, {table}", before=listed, table=each)
    return listed


def seat_words(counts: Sequence[int]) -> str:
    """Write seat counts: `2`, `3–5`, `2, 4`."""
    ordered = sorted(counts)
    if len(ordered) > 1 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]}–{ordered[-1]}"
    return ", ".join(map(str, ordered))


def declared(game: str, offers: Iterable[tuple[Sequence[str], Sequence[int]]]) -> DeclaredTables:
    """Return the tables that a bot declares by pairs of variants and seat counts; those of all pairs together.

    What the game does not have is left out, and of a game that is not installed all tables are.
    """
    pairs = [(frozenset(variants), frozenset(counts)) for variants, counts in offers]
    if any(not variants and not counts for variants, counts in pairs) or not registry.is_known(game):
        return ALL
    found = {
        variant: tuple(
            seats
            for seats in has
            if any(
                (not variants or variant in variants) and (not counts or seats in counts)
                for variants, counts in pairs
            )
        )
        for variant, has in registry.find(game).variants.items()
    }
    return DeclaredTables({variant: counts for variant, counts in found.items() if counts})


def check(games: Iterable[str], variants: Sequence[str], seat_counts: Sequence[int]) -> None:
    """Check that these variants and seat counts exist in these games, and leave no game without a table.

    Games that are not installed are not checked.  Raises Refusal with the field `variants` or `seat_counts`.
    """
    if not variants and not seat_counts:
        return
    rules = {game: registry.find(game).variants for game in games if registry.is_known(game)}
    for variant in variants:
        if rules and not any(variant in has for has in rules.values()):
            raise _unknown("variants", variant, _list(rules))
    for seats in seat_counts:
        if rules and not any(seats in counts for has in rules.values() for counts in has.values()):
            raise _unknown("seat_counts", seats, _list(rules))
    for game, has in rules.items():
        left = declared(game, [(variants, seat_counts)])
        if not left.counts:
            raise _unknown(
                "variants" if variants else "seat_counts", _both(variants, seat_counts), _list({game: has})
            )
    for variant in variants:
        if rules and not any(
            variant in (declared(game, [((variant,), seat_counts)]).counts or ()) for game in rules
        ):
            raise _unknown("seat_counts", _both((variant,), seat_counts), _list(rules))


def _both(variants: Sequence[str], seat_counts: Sequence[int]) -> str:
    return " ".join(
        filter(None, [", ".join(variants), f"({seat_words(seat_counts)})" if seat_counts else ""])
    )


def _list(rules: Mapping[str, Mapping[str, range]]) -> str:
    return "; ".join(
        f"{game}: {', '.join(f'{variant} ({seat_words(counts)})' for variant, counts in has.items())}"
        for game, has in rules.items()
    )


def _unknown(field: str, value: object, has: str) -> Refusal:
    return Refusal(
        "tables_unknown",
        say(
            "{field} {value!r}: there is no such table; the variants, each with its seat counts, are {has}",
            field=field,
            value=value,
            has=has,
        ),
        field=field,
    )

"""The view of Teotlatolli as a protobuf message (protos/arena/v1/teotlatolli.proto)."""

from __future__ import annotations

from functools import lru_cache

from arena.games.teotlatolli.view import Pile, TeotlatolliView
from arena.v1 import teotlatolli_pb2 as pb

VIEW_TYPE = "arena.v1.TeotlatolliView"


def encode(view: TeotlatolliView) -> bytes:
    """Write a view as the bytes of its message.

    It is put together from pieces, since messages of protobuf that stand one after the other are one message.  From one
    view to the next most piles are the same, so their bytes are kept.
    """
    rest = pb.TeotlatolliView(
        turn=view.turn,
        quiet_turns=view.quiet_turns,
        hand=view.hand,
        opponent_hand=view.opponent_hand,
        opponent_known=view.opponent_known,
        reserve=view.reserve,
        god_deck=view.god_deck,
        switched=view.switched,
        moved=view.moved,
        extra=view.extra,
    )
    pieces = [_sides(sides) for sides in view.sides]
    pieces += [_depot(signs) for signs in view.depots]
    pieces += (_gods(view.gods, view.completed), _discards(view.discards), rest.SerializeToString())
    return b"".join(pieces)


def decode(data: bytes) -> TeotlatolliView:
    """Read a view from the bytes of its message."""
    message = pb.TeotlatolliView.FromString(data)
    return TeotlatolliView(
        turn=message.turn,
        quiet_turns=message.quiet_turns,
        hand=tuple(message.hand),
        opponent_hand=message.opponent_hand,
        opponent_known=tuple(message.opponent_known),
        gods=tuple(message.gods),
        sides=tuple([tuple([tuple(side.signs) for side in seat.sides]) for seat in message.sides]),
        depots=tuple([tuple(depot.signs) for depot in message.depots]),
        completed=tuple([tuple(seat.gods) for seat in message.completed]),
        discards=tuple(message.discards),
        reserve=message.reserve,
        god_deck=message.god_deck,
        switched=message.switched,
        moved=message.moved,
        extra=message.extra,
    )


@lru_cache(maxsize=1 << 12)
def _sides(sides: tuple[Pile, ...]) -> bytes:
    seat = pb.TeotlatolliSides(sides=[pb.TeotlatolliPile(signs=side) for side in sides])
    return pb.TeotlatolliView(sides=[seat]).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _depot(signs: Pile) -> bytes:
    return pb.TeotlatolliView(depots=[pb.TeotlatolliPile(signs=signs)]).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _gods(gods: tuple[int, ...], completed: tuple[tuple[int, ...], ...]) -> bytes:
    seats = [pb.TeotlatolliGods(gods=seat) for seat in completed]
    return pb.TeotlatolliView(gods=gods, completed=seats).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _discards(discards: Pile) -> bytes:
    return pb.TeotlatolliView(discards=discards).SerializeToString()

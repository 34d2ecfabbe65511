"""The view of Lost Cities as a protobuf message (protos/arena/v1/lost_cities.proto)."""

from __future__ import annotations

from functools import lru_cache

from arena.games.lost_cities.view import LostCitiesView, Pile
from arena.v1 import lost_cities_pb2 as pb

VIEW_TYPE = "arena.v1.LostCitiesView"


def encode(view: LostCitiesView) -> bytes:
    """Write a view as the bytes of its message.

    It is put together from pieces, since messages of protobuf that stand one after the other are one message.  From one
    view to the next nearly all piles are the same, so their bytes are kept.
    """
    rest = pb.LostCitiesView(
        hand_number=view.hand_number,
        hands=view.hands,
        turn=view.turn,
        starter=view.starter,
        hand=view.hand,
        draw_pile=view.draw_pile,
        opponent_known=view.opponent_known,
        totals=view.totals,
        just_discarded=view.just_discarded,
    )
    first, second = view.expeditions
    return b"".join(
        (_expeditions(first), _expeditions(second), *map(_discards, view.discards), rest.SerializeToString())
    )


def decode(data: bytes) -> LostCitiesView:
    """Read a view from the bytes of its message."""
    message = pb.LostCitiesView.FromString(data)
    return LostCitiesView(
        hand_number=message.hand_number,
        hands=message.hands,
        turn=message.turn,
        starter=message.starter,
        hand=tuple(message.hand),
        expeditions=tuple(
            [tuple([tuple(pile.cards) for pile in seat.piles]) for seat in message.expeditions]
        ),
        discards=tuple([tuple(pile.cards) for pile in message.discards]),
        draw_pile=message.draw_pile,
        opponent_known=tuple(message.opponent_known),
        totals=tuple(message.totals),
        just_discarded=message.just_discarded,
    )


@lru_cache(maxsize=1 << 10)
def _expeditions(piles: tuple[Pile, ...]) -> bytes:
    seat = pb.LostCitiesExpeditions(piles=[pb.LostCitiesPile(cards=cards) for cards in piles])
    return pb.LostCitiesView(expeditions=[seat]).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _discards(cards: Pile) -> bytes:
    return pb.LostCitiesView(discards=[pb.LostCitiesPile(cards=cards)]).SerializeToString()

"""The view of The Bottle Imp as a protobuf message (protos/arena/v1/bottle_imp.proto)."""

from __future__ import annotations

from functools import lru_cache

from arena.games.bottle_imp.state import Cards, Hand, Trick
from arena.games.bottle_imp.view import BottleImpView
from arena.v1 import bottle_imp_pb2 as pb

VIEW_TYPE = "arena.v1.BottleImpView"


def encode(view: BottleImpView) -> bytes:
    """Write a view as the bytes of its message.

    The bytes of a message are those of its parts, one after the other; parts that change seldom are kept.
    """
    rest = pb.BottleImpView(
        hand_number=view.hand_number,
        hands=view.hands,
        target=view.target,
        dealer=view.dealer,
        choosing=view.choosing,
        discarded=view.discarded,
        passed=view.passed,
        received=view.received,
        price=view.price,
        owner=view.owner,
        leader=view.leader,
        trick=view.trick,
        points=view.points,
        totals=view.totals,
    )
    pieces = [rest.SerializeToString(), _cards(view.cards), _laid_open(view.laid_open)]
    pieces += map(_trick, view.tricks)
    if view.last_hand:
        pieces.append(_last_hand(view.last_hand))
    return b"".join(pieces)


def decode(data: bytes) -> BottleImpView:
    """Read a view from the bytes of its message."""
    message = pb.BottleImpView.FromString(data)
    last = message.last_hand
    return BottleImpView(
        hand_number=message.hand_number,
        hands=message.hands,
        target=message.target,
        dealer=message.dealer,
        choosing=message.choosing,
        cards=tuple([tuple(each.cards) for each in message.cards]),
        laid_open=tuple([tuple(each.cards) for each in message.laid_open]),
        discarded=tuple(message.discarded),
        passed=tuple(message.passed),
        received=tuple(message.received),
        price=message.price,
        owner=message.owner,
        leader=message.leader,
        trick=tuple(message.trick),
        tricks=tuple([Trick(each.leader, tuple(each.cards), each.winner) for each in message.tricks]),
        points=tuple(message.points),
        totals=tuple(message.totals),
        last_hand=Hand(tuple(last.scores), last.owner, last.price, tuple(last.devil))
        if message.HasField("last_hand")
        else None,
    )


@lru_cache(maxsize=1 << 12)
def _cards(hands: tuple[Cards, ...]) -> bytes:
    return pb.BottleImpView(cards=[pb.BottleImpCards(cards=cards) for cards in hands]).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _laid_open(hands: tuple[Cards, ...]) -> bytes:
    messages = [pb.BottleImpCards(cards=cards) for cards in hands]
    return pb.BottleImpView(laid_open=messages).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _trick(trick: Trick) -> bytes:
    message = pb.BottleImpTrick(leader=trick.leader, cards=trick.cards, winner=trick.winner)
    return pb.BottleImpView(tricks=[message]).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _last_hand(hand: Hand) -> bytes:
    message = pb.BottleImpHand(scores=hand.scores, owner=hand.owner, price=hand.price, devil=hand.devil)
    return pb.BottleImpView(last_hand=message).SerializeToString()

"""Between the kernel's values and the messages of `arena.v1`: views, steps, lines of talk and their limits."""

from __future__ import annotations

from functools import lru_cache

from arena.games import registry
from arena.games.kernel import Chance, Claim, DummyPlayed, Line, Played, Said, Step, TalkLimits
from arena.games.package import Codec
from arena.v1 import match_pb2 as pb


def codec(game: str) -> Codec:
    """Find the codec of a game's view.  Raises UsageError for an unknown game."""
    return registry.package(game).codec


@lru_cache(maxsize=1 << 12)
def step_to_proto(step: Step) -> pb.Step:
    """Write a step.  The message is kept and shared: copy it into others (`extend` does), never change it."""
    match step:
        case Played(seat, action, together):
            return pb.Step(played=pb.Played(seat=seat, action=action, together=together))
        case Chance(name, outcome):
            return pb.Step(chance=pb.Chance(name=name, outcome=outcome))
        case DummyPlayed(action):
            return pb.Step(dummy=action)
        case Said(seat, line, number):
            return pb.Step(said=pb.Said(seat=seat, line=line_to_proto(line), round=number))


def step_from_proto(message: pb.Step) -> Step:
    """Read a step.  Raises ValueError where the message holds none."""
    match message.WhichOneof("step"):
        case "played":
            played = message.played
            together = played.together if played.HasField("together") else None
            return Played(played.seat, played.action, together)
        case "chance":
            return Chance(message.chance.name, tuple(message.chance.outcome))
        case "dummy":
            return DummyPlayed(message.dummy)
        case "said":
            said = message.said
            return Said(said.seat, line_from_proto(said.line), said.round)
    raise ValueError("step: must be one of chance, played, dummy, said; it is empty")


def line_to_proto(line: Line) -> pb.Line:
    """Write a line of talk."""
    claims = [
        pb.Claim(kind=each.kind, seat=each.seat, vote=each.vote, when=each.when) for each in line.claims
    ]
    return pb.Line(text=line.text, claims=claims)


def line_from_proto(message: pb.Line) -> Line:
    """Read a line of talk; whether it keeps to its limits is for `kernel.check_line` to say."""
    claims = tuple([Claim(each.kind, each.seat, each.vote, each.when) for each in message.claims])
    return Line(message.text, claims)


def limits_to_proto(limits: TalkLimits) -> pb.TalkLimits:
    """Write the limits of a line."""
    return pb.TalkLimits(
        max_text_bytes=limits.max_text_bytes,
        max_claims=limits.max_claims,
        kinds=limits.kinds,
        votes=limits.votes,
        whens=limits.whens,
    )


def limits_from_proto(message: pb.TalkLimits) -> TalkLimits:
    """Read the limits of a line."""
    return TalkLimits(
        message.max_text_bytes,
        message.max_claims,
        tuple(message.kinds),
        tuple(message.votes),
        tuple(message.whens),
    )

"""Tables in Redis: which matches are being played, and the steps of those that are watched.

    tables              sorted set   block → until when its worker's announcement is valid, by Redis's clock
    tables:<block>      string       the tables of a block
    tables:wanted       sorted set   match id → until when its steps are wanted, by Redis's clock
    table:<match>       stream       frames of its steps

Workers show, web processes want.  All of it expires, since nothing here must last; while Redis is away, there are no live pages.
Of a match's steps only what seats chose is here, since the deal follows from the seed, which stays in the store.  Still it
holds what a seat chose in secret: what of it is shown, and when, the web asks `arena.competition.disclosure`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, cast

from arena.core.errors import ArenaError
from arena.match.record import RecordedStep, read_step, write_step
from arena.messaging.stream_reader import read_streams

if TYPE_CHECKING:
    import redis.asyncio
    from redis import Redis

SHOWN_S = 5.0
"""Seconds that a worker's announcement is valid: several times its interval."""
WANTED_S = 15.0
"""For how long a request for steps holds; it is repeated while a page watches."""
_KEPT_S = 120
"""Seconds that steps are kept after the last of them."""
_MAX_FRAMES = 10_000
_BLOCKS = "tables"
_WANTED = "tables:wanted"
ANY = "*"
"""Request for any matches: a few tables of every block."""
BEGINNING = "0"
"""The id before all frames."""


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """A match that is being played: which one, since when, in seconds since the epoch, and whether its steps are shown."""

    match: str
    tournament_id: int
    set: int
    number: int
    attempt: int
    began_at: float
    followed: bool = False


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """End of a match; `places` are empty if the platform failed it, scores if a seat did."""

    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    end: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """Actions and lines of talk at a table since the last frame.

    `talks` says by seat whether its bot talks; it is in the first frame, and a frame that has it restarts the match.
    """

    steps: tuple[RecordedStep, ...] = ()
    talks: tuple[bool, ...] | None = None
    ended: EndedMatch | None = None


class FrameUnreadable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a frame cannot be read: it is damaged, or a newer release of Bot Arena published it."""


# --- workers ----------------------------------------------------------------------------------------------------


def show(client: Redis, block: str, tables: Sequence[RunningMatch]) -> frozenset[str]:
    """Publish which matches of a block are being played, and return those whose steps are wanted.

    `block` names it and its worker, since two may play one for a moment.  Raises RedisError and OSError, as everything here does.
    """
    now, _ = client.time()
    with client.pipeline(transaction=False) as pipeline:
        if tables:
            pipeline.set(_of_block(block), _write_tables(tables), px=int(SHOWN_S * 1000))
            pipeline.zadd(_BLOCKS, {block: now + SHOWN_S})
        else:
            pipeline.delete(_of_block(block))
            pipeline.zrem(_BLOCKS, block)
        pipeline.zremrangebyscore(_BLOCKS, "-inf", now)
        pipeline.zrangebyscore(_WANTED, now, "+inf")
        *_, wanted = pipeline.execute()
    return frozenset(match.decode() for match in wanted)


def publish(client: Redis, match: str, frame: Frame) -> bool:
    """Append a frame to a match's steps; one that begins the match forgets what was there.

    False if Redis has forgotten how the match began: it has to be shown from its start again.
    """
    stream, begins = _of_match(match), frame.talks is not None
    with client.pipeline(transaction=False) as pipeline:
        if begins:
            pipeline.delete(stream)
        pipeline.xadd(stream, {"frame": _write_frame(frame)}, maxlen=_MAX_FRAMES, nomkstream=not begins)
        pipeline.expire(stream, _KEPT_S)
        *_, added, _ = pipeline.execute()
    return added is not None


# --- web processes ------------------------------------------------------------------------------------------------


async def playing(client: redis.asyncio.Redis) -> tuple[RunningMatch, ...]:
    """List the tables at which a match is being played, those that have played longest first."""
    now, _ = await client.time()
    blocks = cast("list[bytes]", await client.zrangebyscore(_BLOCKS, now, "+inf"))
    if not blocks:
        return ()
    texts = cast("list[bytes | None]", await client.mget([_of_block(name.decode()) for name in blocks]))
    found = [table for text in texts if text for table in _read_tables(text)]
    return tuple(sorted(found, key=lambda table: (table.began_at, table.match)))


async def want(client: redis.asyncio.Redis, matches: Iterable[str]) -> None:
    """Ask for the steps of matches, for as long as a wish holds."""
    named = tuple(matches)
    if not named:
        return
    now, _ = await client.time()
    wishes = dict.fromkeys(named, now + WANTED_S)
    async with client.pipeline(transaction=False) as pipeline:
        pipeline.zremrangebyscore(_WANTED, "-inf", now)
        pipeline.zadd(_WANTED, cast("Any", wishes))
        pipeline.expire(_WANTED, int(WANTED_S) + 1)
        await pipeline.execute()


async def read(
    client: redis.asyncio.Redis, positions: Mapping[str, str], block_ms: int
) -> dict[str, tuple[str, tuple[bytes, ...]]]:
    """Wait for new frames of matches after the given id of each; return the new id with the frames as text."""
    streams = {_of_match(match): position for match, position in positions.items()}
    return {
        stream.removeprefix(_of_match("")): (
            entries[-1][0].decode(),
            tuple(entry.get(b"frame", b"") for _, entry in entries),
        )
        for stream, entries in (await read_streams(client, streams, block_ms)).items()
    }


def read_frame(text: bytes) -> Frame:
    """Read a frame.  Raises FrameUnreadable."""
    try:
        return _read_frame(json.loads(text))
    except (ArenaError, ValueError, LookupError, TypeError) as error:
        raise FrameUnreadable(f"a frame of its steps cannot be read: {error}") from error


# --- as text ------------------------------------------------------------------------------------------------------


def _of_block(block: str) -> str:
    return f"tables:{block}"


def _of_match(match: str) -> str:
    return f"table:{match}"


def _write_tables(tables: Sequence[RunningMatch]) -> str:
    return json.dumps(
        [
            (
                each.match,
                each.tournament_id,
                each.set,
                each.number,
                each.attempt,
                round(each.began_at, 3),
                each.followed,
            )
            for each in tables
        ]
    )


def _read_tables(text: bytes) -> list[RunningMatch]:
    columns = len(fields(RunningMatch))
    return [RunningMatch(*row[:columns]) for row in json.loads(text)]  # a newer release's may have more


def _write_frame(frame: Frame) -> str:
    document: dict[str, object] = {"steps": [write_step(step) for step in frame.steps]}
    if frame.talks is not None:
        document["talks"] = frame.talks
    if frame.ended is not None:
        document["ended"] = (frame.ended.places, frame.ended.scores, frame.ended.end)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _read_frame(document: Mapping[str, Any]) -> Frame:
    ended = None
    if "ended" in document:
        places, scores, end = document["ended"]
        ended = EndedMatch(tuple(places), tuple(scores), end)
    return Frame(
        tuple(read_step(step, f"steps[{number}]") for number, step in enumerate(document["steps"])),
        tuple(document["talks"]) if "talks" in document else None,
        ended,
    )

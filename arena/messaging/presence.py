"""Presence in Redis: which dial-in bots are connected, and where bots reach the referees.

    referees                    sorted set   referee → when its link last reported, in seconds of Redis's clock
    referee:<referee>:bots      hash         token id → name and version that the bot declares
    referee:<referee>:address   string       where bots from elsewhere reach it
    referee:<referee>:sandbox   string       what keeps hosted bots from doing harm there
    referee:<referee>:state     string       its release, and whether it drains, in JSON
    referee:<referee>:warnings  string       JSON: what is wrong with how it was set up
    referees:missing            sorted set   referee that a worker names and does not reach → when that was last tried
    workers:waiting             sorted set   worker that has no referee → when it last looked for one
    workers:full                sorted set   worker for whose results the store has no room → when it last tried

The link of each referee (workers/referee_link.py) repeats all of it about once a second, and all of it expires when the link is gone.  So
nothing here must last: when Redis comes back empty, it is soon there again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import redis.asyncio
    from redis import Redis

KEPT_S = 10
"""Seconds that presence outlasts its last announcement."""
_REFEREES = "referees"
_MISSING = "referees:missing"
_WAITING = "workers:waiting"
_FULL = "workers:full"
_FORGOTTEN_S = 3600
"""A referee's name is dropped this long after its link last reported."""


@dataclass(frozen=True, slots=True)
class Presence:
    """A bot that is connected: the name and version it declares, and the referees it has a stream to."""

    name: str
    version: str
    referees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outages:
    """Outages that workers report: referees that they name and do not reach, workers without any, and those for whose results the store has no room."""

    missing_referees: tuple[str, ...] = ()
    waiting_workers: tuple[str, ...] = ()
    full_workers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefereeState:
    """The release of a referee, with the generation of its control protocol, and whether it drains."""

    release: str = ""
    generation: int = 0
    draining: bool = False
    matches: int = 0
    """While it drains: how many matches still run."""


@dataclass(frozen=True, slots=True)
class RefereeRow:
    """A referee that was there in the last hour."""

    name: Annotated[str, Field(description="Its name.", examples=["unix:/run/arena/control.sock"])]
    silent_s: Annotated[float, Field(description="Seconds since it was last reported.", examples=[0.4])]
    present: Annotated[bool, Field(description="Whether it is connected now.")]
    address: Annotated[
        str, Field(description="Address at which bots reach it from elsewhere; empty if there is none.")
    ]
    protection: Annotated[
        str,
        Field(description="Protection from hosted bots: `full: …`, `partial: …` or `none: …`."),
    ]
    bots: Annotated[int, Field(description="Bots that have connected to it by themselves.", examples=[4])]
    release: Annotated[str, Field(description="Its release; empty if it names none.", examples=["0.2.0"])]
    generation: Annotated[
        int,
        Field(description="The generation of the control protocol that it speaks; 0: unknown.", examples=[2]),
    ]
    draining: Annotated[
        bool, Field(description="Whether it drains: it takes no new matches and is about to stop.")
    ]
    matches: Annotated[int, Field(description="While it drains: matches that still run.", examples=[0])]


def show(
    client: Redis,
    referee: str,
    address: str,
    bots: Mapping[str, Presence],
    protection: str = "",
    state: RefereeState | None = None,
) -> None:
    """Publish the state of a referee: its address for bots (or none), and its connected bots by their tokens' ids.

    `protection` is its sandbox level; empty if it is not known.  Raises RedisError and OSError, as everything here does.
    """
    seconds, _ = client.time()
    with client.pipeline(transaction=True) as pipeline:
        pipeline.delete(_bots(referee), _address(referee), _sandbox(referee), _state(referee))
        if bots:
            entries = {token_id: _entry(bot.name, bot.version) for token_id, bot in bots.items()}
            pipeline.hset(_bots(referee), mapping=cast("Any", entries))
            pipeline.expire(_bots(referee), KEPT_S)
        if address:
            pipeline.set(_address(referee), address, ex=KEPT_S)
        if protection:
            pipeline.set(_sandbox(referee), protection, ex=KEPT_S)
        if state is not None:
            pipeline.set(_state(referee), json.dumps(asdict(state)), ex=KEPT_S)
        pipeline.zadd(_REFEREES, {referee: seconds})
        pipeline.zremrangebyscore(_REFEREES, "-inf", seconds - _FORGOTTEN_S)
        if protection:
            pipeline.zrem(_MISSING, referee)
        pipeline.execute()


def set_warnings(client: Redis, referee: str, warnings: tuple[str, ...]) -> None:
    """Publish what is wrong with how a referee was set up; expires as presence does."""
    if warnings:
        client.set(_warnings(referee), json.dumps(warnings), ex=KEPT_S)
    else:
        client.delete(_warnings(referee))


def warnings(client: Redis) -> dict[str, tuple[str, ...]]:
    """Return what is wrong with how each referee was set up, where something is."""
    return {referee: tuple(json.loads(text)) for referee, text in _strings(client, _warnings).items()}


def set_present(client: Redis, token_id: str, referee: str, name: str, version: str) -> None:
    """Publish that a bot has connected."""
    seconds, _ = client.time()
    with client.pipeline(transaction=True) as pipeline:
        pipeline.hset(_bots(referee), token_id, _entry(name, version))
        pipeline.expire(_bots(referee), KEPT_S)
        pipeline.zadd(_REFEREES, {referee: seconds})
        pipeline.execute()


def set_absent(client: Redis, token_id: str, referee: str) -> None:
    """Publish that a bot has disconnected."""
    client.hdel(_bots(referee), token_id)


def set_missing(client: Redis, referee: str) -> None:
    """Publish that a referee in the workers' settings cannot be reached; expires as presence does."""
    _note(client, _MISSING, referee, holds=True)


def set_waiting(client: Redis, worker: str, *, waits: bool) -> None:
    """Publish that a worker waits for a referee, or no longer does; expires as presence does."""
    _note(client, _WAITING, worker, holds=waits)


def set_full(client: Redis, worker: str) -> None:
    """Publish that the store has no room for a worker's results; expires as presence does."""
    _note(client, _FULL, worker, holds=True)


def full(client: Redis) -> tuple[str, ...]:
    """List the workers for whose results the store has no room."""
    seconds, _ = client.time()
    return _names(client.zrangebyscore(_FULL, seconds - KEPT_S, "+inf"))


async def outages_async(client: redis.asyncio.Redis) -> Outages:
    """Read what workers miss, for an event loop."""
    seconds, _ = await client.time()
    found = [
        _names(await client.zrangebyscore(key, seconds - KEPT_S, "+inf"))
        for key in (_MISSING, _WAITING, _FULL)
    ]
    return Outages(*found)


def _note(client: Redis, key: str, name: str, *, holds: bool) -> None:
    seconds, _ = client.time()
    with client.pipeline(transaction=True) as pipeline:
        if holds:
            pipeline.zadd(key, {name: seconds})
        else:
            pipeline.zrem(key, name)
        pipeline.zremrangebyscore(key, "-inf", seconds - KEPT_S)
        pipeline.execute()


def _names(reply: object) -> tuple[str, ...]:
    return tuple(name.decode() for name in cast("list[bytes]", reply))


def present(client: Redis) -> dict[str, Presence]:
    """Return the bots that are connected to any referee, by their tokens' ids."""
    referees = _referees(client)
    with client.pipeline(transaction=False) as pipeline:
        for referee in referees:
            pipeline.hgetall(_bots(referee))
        replies = cast("list[dict[bytes, bytes]]", pipeline.execute())
    found: dict[str, Presence] = {}
    for referee, reply in zip(referees, replies, strict=True):
        for key, value in reply.items():
            token_id, (name, version) = key.decode(), json.loads(value)
            bot = found.get(token_id, Presence(name, version))
            found[token_id] = replace(bot, referees=(*bot.referees, referee))
    return found


def addresses(client: Redis) -> dict[str, str]:
    """Return the address at which bots reach each referee that has one."""
    return _strings(client, _address)


async def protections(client: redis.asyncio.Redis) -> dict[str, str]:
    """Return what keeps hosted bots from doing harm at each referee that has said it, in words."""
    referees = [name.decode() for name in cast("list[bytes]", await client.zrange(_REFEREES, 0, -1))]
    replies = [cast("bytes | None", await client.get(_sandbox(referee))) for referee in referees]
    return {referee: text.decode() for referee, text in zip(referees, replies, strict=True) if text}


def overview(client: Redis) -> tuple[RefereeRow, ...]:
    """List the referees of the last hour by name: one that is not there any more is forgotten after that."""
    found = cast("list[tuple[bytes, float]]", client.zrange(_REFEREES, 0, -1, withscores=True))
    if not found:
        return ()
    seconds, _ = client.time()
    with client.pipeline(transaction=False) as pipeline:
        for name, _ in found:
            referee = name.decode()
            pipeline.get(_address(referee))
            pipeline.get(_sandbox(referee))
            pipeline.hlen(_bots(referee))
            pipeline.get(_state(referee))
        replies = pipeline.execute()
    return tuple(
        RefereeRow(
            name=name.decode(),
            silent_s=max(0.0, seconds - spoke),
            present=seconds - spoke <= KEPT_S and bool(protection),
            address=(address or b"").decode(),
            protection=(protection or b"").decode(),
            bots=bots,
            **asdict(_read_state(state)),
        )
        for (name, spoke), address, protection, bots, state in zip(
            found, *(replies[number::4] for number in range(4)), strict=True
        )
    )


def _read_state(text: bytes | None) -> RefereeState:
    """Read a state; additions of a newer release are left out."""
    found: dict[str, Any] = json.loads(text) if text else {}
    return RefereeState(
        **{each.name: found[each.name] for each in fields(RefereeState) if each.name in found}
    )


def _strings(client: Redis, key: Callable[[str], str]) -> dict[str, str]:
    referees = _referees(client)
    if not referees:
        return {}
    replies = cast("list[bytes | None]", client.mget([key(referee) for referee in referees]))
    return {referee: text.decode() for referee, text in zip(referees, replies, strict=True) if text}


def _referees(client: Redis) -> list[str]:
    return [name.decode() for name in cast("list[bytes]", client.zrange(_REFEREES, 0, -1))]


def _bots(referee: str) -> str:
    return f"referee:{referee}:bots"


def _address(referee: str) -> str:
    return f"referee:{referee}:address"


def _sandbox(referee: str) -> str:
    return f"referee:{referee}:sandbox"


def _state(referee: str) -> str:
    return f"referee:{referee}:state"


def _warnings(referee: str) -> str:
    return f"referee:{referee}:warnings"


def _entry(name: str, version: str) -> str:
    return json.dumps([name, version])

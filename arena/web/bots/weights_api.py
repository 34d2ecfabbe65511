"""Weights: large files that uploads name, sent before them, each under its SHA-256."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256 as new_sha256
from typing import Annotated

from fastapi import Depends, Path, Request
from starlette.concurrency import run_in_threadpool

from arena.bot_registry import stored_weights
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.bots import bot_schemas
from arena.web.bots.bots_api import Author, Reader, TheRules
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import TheStore
from arena.web.http.upload_stream import TheUploads, told_apart

_log = logging.getLogger(__name__)

router = api_router("/weights", tags=["bots"], dependencies=[Depends(keep_nowhere)])

Sha256 = Annotated[
    str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the file, in hex.", examples=["9f" * 32])
]


@router.get("/{sha256}", summary="Show weights of one's own", responses=answers(401, 403, 404, 422, 429))
def show_weights(store: TheStore, actor: Reader, sha256: Sha256) -> bot_schemas.Weights:
    """Return the size of weights that you have uploaded; 404 says that they have to be uploaded (first, or again)."""
    size = stored_weights.size_of(store, actor, sha256)
    if size is None:
        raise Refusal(
            "weights_missing",
            say("weights {sha256}: you have not uploaded a file of that SHA-256", sha256=sha256),
            field="sha256",
            kind=RefusalKind.NOT_FOUND,
        )
    return bot_schemas.Weights(sha256=sha256, size=size)


@router.put(
    "/{sha256}",
    summary="Upload weights",
    responses=answers(401, 403, 408, 413, 422, 429, 503),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def upload_weights(
    request: Request,
    *,
    store: TheStore,
    actor: Author,
    rules: TheRules,
    under_way: TheUploads,
    sha256: Sha256,
) -> bot_schemas.Weights:
    """Send a file that a `bot.toml` names in `[weights]`, before the upload that names it.

    It is stored when all of it has come and has this SHA-256. Weights that no upload names are deleted after a day.
    """
    size = await run_in_threadpool(stored_weights.size_of, store, actor, sha256)
    if size is None:
        with under_way.place(actor):
            size = await _receive(request, store, actor, rules, sha256)
        _log.info("weights of %s: %d bytes, SHA-256 %s", actor.name, size, sha256)
    return bot_schemas.Weights(sha256=sha256, size=size)


async def _receive(request: Request, store: TheStore, actor: Author, rules: TheRules, sha256: str) -> int:
    """Store a body part by part; nothing stays of one that is not whole, or is not what it is called.  Raises Refusal."""
    limits = rules.weights
    announced = request.headers.get("content-length", "")
    most = int(announced) if announced.isdecimal() else limits.upload_mib << 20
    number = await run_in_threadpool(stored_weights.begin, store, actor, sha256, most, limits)
    try:
        with told_apart():
            size, found = await _store_parts(request, store, number, most)
        _check(sha256, found, size)
        await run_in_threadpool(stored_weights.finish, store, number, size)
    except BaseException:
        with suppress(Exception):  # else it is deleted in time
            await run_in_threadpool(stored_weights.discard, store, number)
        raise
    return size


def _check(sha256: str, found: str, size: int) -> None:
    """Check what has come.  Raises Refusal."""
    if found != sha256:
        raise Refusal(
            "weights_wrong",
            say(
                "sha256 {sha256}: the {bytes} bytes that came have the SHA-256 {found}; name them by that, or send the right file",
                sha256=sha256,
                bytes=size,
                found=found,
            ),
            field="sha256",
        )


async def _store_parts(request: Request, store: TheStore, number: int, most: int) -> tuple[int, str]:
    """Store the parts of a body; return its size and SHA-256."""
    digest, size, parts = new_sha256(), 0, 0
    waiting = bytearray()
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise Refusal(
                "too_large",
                say("weights: are larger than {most} bytes", most=most),
                field="weights",
                kind=RefusalKind.TOO_LARGE,
            )
        waiting += chunk
        while len(waiting) >= stored_weights.PART_BYTES:
            part = bytes(waiting[: stored_weights.PART_BYTES])
            del waiting[: stored_weights.PART_BYTES]
            await run_in_threadpool(_store_part, store, number, parts, part, digest.update)
            parts += 1
    if waiting:
        await run_in_threadpool(_store_part, store, number, parts, bytes(waiting), digest.update)
    return size, digest.hexdigest()


def _store_part(store: TheStore, number: int, part: int, data: bytes, count: Callable[[bytes], None]) -> None:
    count(data)
    stored_weights.add(store, number, part, data)

"""Weights: large files that uploads name, sent before them in parts, each file under its SHA-256."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from arena.bot_registry.stored_weights import PART_BYTES
from arena.bot_registry.weights_uploads import MIN_PART_BYTES, WeightsUpload
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.service.bot_operations import Bots
from arena.service.composed_answers import Weights
from arena.service.requests import Body
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import AuthorArena, ReaderArena
from arena.web.http.problems import answers
from arena.web.uploads.upload_places import TheUploads, UploadPlace, Uploads
from arena.web.uploads.upload_stream import told_apart

_log = logging.getLogger(__name__)

router = api_router("/weights", tags=["bots"], dependencies=[Depends(keep_nowhere)])

Sha256 = Annotated[
    str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the file, in hex.", examples=["9f" * 32])
]


class WeightsSize(Body):
    """A file of weights that is to be uploaded."""

    size: int = Field(ge=0, description="Its size in bytes.", examples=[52428800])


@router.get("/{sha256}", summary="Show uploaded weights", responses=answers(401, 403, 404, 422, 429))
def show_weights(arena: ReaderArena, sha256: Sha256) -> Weights:
    """Return the size of weights that you have uploaded; 404 means that they have to be uploaded (again)."""
    return arena.bots.show_weights(sha256)


@router.post(
    "/{sha256}/upload", summary="Begin an upload of weights", responses=answers(401, 403, 413, 422, 429)
)
def begin_weights(
    body: WeightsSize, arena: AuthorArena, under_way: TheUploads, sha256: Sha256
) -> WeightsUpload:
    """Begin the upload of a file that a `bot.toml` names in `[weights]`, or continue one: `received` says where.

    If `complete` is true, the file is there. An upload expires an hour after its last part.
    """
    return _described(arena.bots.begin_weights(sha256, size=body.size), under_way)


@router.put(
    "/{sha256}/upload",
    summary="Upload a part of weights",
    responses=answers(400, 401, 403, 404, 408, 409, 413, 422, 429, 503),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def upload_weights_part(
    request: Request,
    *,
    arena: AuthorArena,
    under_way: TheUploads,
    sha256: Sha256,
    offset: Annotated[
        int, Query(ge=0, description="Where in the file the part begins: at `received`.", examples=[4194304])
    ],
) -> WeightsUpload:
    """Send the bytes of the file from `offset` on: at most `part_bytes`, and at least 65536 unless the file ends with them.

    The bytes of an interrupted part are kept if there are at least 65536; begin the upload again to learn
    where it continues.
    """
    upload = await run_in_threadpool(arena.bots.show_weights_upload, sha256)
    part = _Part(arena.bots, upload, offset)
    with under_way.weights.take(arena.actor) as place:
        upload = await part.receive(request, place, under_way.max_part_bytes)
    return _described(upload, under_way)


@router.post(
    "/{sha256}/upload/finish",
    summary="Finish the upload of weights",
    responses=answers(401, 403, 404, 409, 422, 429),
)
async def finish_weights(arena: AuthorArena, under_way: TheUploads, sha256: Sha256) -> WeightsUpload:
    """Check that all parts together have this SHA-256; only then can an upload name the file.

    A file of another SHA-256 is deleted. Weights that no upload names are deleted after a day.
    """
    upload = await under_way.run(lambda: arena.bots.finish_weights(sha256))
    _log.info("weights of %s: %d bytes, SHA-256 %s", arena.actor.name, upload.size, sha256)
    return _described(upload, under_way)


class _Part:
    """A part of an upload that is being received.  Mutable."""

    def __init__(self, bots: Bots, upload: WeightsUpload, offset: int) -> None:
        self._bots = bots
        self._upload = upload
        self._offset = offset
        self._waiting = bytearray()

    async def receive(self, request: Request, place: UploadPlace, most: int) -> WeightsUpload:
        """Store the body of a request as it comes, also of one that breaks off.  Raises Refusal."""
        size = 0
        try:
            with told_apart():
                async for chunk in place.read(request.stream()):
                    size += len(chunk)
                    if size > most:
                        raise Refusal(
                            "too_large",
                            say(
                                "part: is larger than {most} bytes; send the rest as the next part", most=most
                            ),
                            field="weights",
                            kind=RefusalKind.TOO_LARGE,
                        )
                    self._waiting += chunk
                    while (
                        len(self._waiting) >= PART_BYTES + MIN_PART_BYTES
                    ):  # so that the rest is never too short
                        await self._store_next(PART_BYTES)
        finally:
            await self._store_rest()
        if self._waiting:
            raise Refusal(
                "part_short",
                say(
                    "part: has {bytes} bytes and does not end the file; send at least {least}",
                    bytes=len(self._waiting),
                    least=MIN_PART_BYTES,
                ),
                field="weights",
            )
        return self._upload

    async def _store_rest(self) -> None:
        """Store what is left, if it is enough for a part of its own."""
        if len(self._waiting) > PART_BYTES:
            await self._store_next(len(self._waiting) - MIN_PART_BYTES)
        left = len(self._waiting)
        if left >= MIN_PART_BYTES or (left and self._offset + left == self._upload.size):
            await self._store_next(left)

    async def _store_next(self, size: int) -> None:
        data = bytes(self._waiting[:size])
        self._upload = await run_in_threadpool(
            self._bots.upload_weights_part, self._upload.sha256, data, offset=self._offset
        )
        self._offset += size
        del self._waiting[:size]


def _described(upload: WeightsUpload, under_way: Uploads) -> WeightsUpload:
    """Return an upload with the size of parts that this process takes."""
    return replace(upload, part_bytes=under_way.max_part_bytes)

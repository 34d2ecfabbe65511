"""Weights: large files that uploads name, sent before them in parts, each file under its SHA-256."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from arena.accounts.actors import Actor
from arena.bot_registry import stored_weights, weights_uploads
from arena.bot_registry.stored_weights import PART_BYTES
from arena.bot_registry.weights_uploads import MIN_PART_BYTES, WeightsUpload
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage import Store
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.bots import bot_schemas
from arena.web.bots.bots_api import Author, Reader, TheRules
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers
from arena.web.uploads.upload_places import TheUploads, UploadPlace
from arena.web.uploads.upload_stream import told_apart

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


@router.post(
    "/{sha256}/upload", summary="Begin to upload weights", responses=answers(401, 403, 413, 422, 429)
)
def begin_weights(
    body: bot_schemas.WeightsSize,
    *,
    store: TheStore,
    actor: Author,
    rules: TheRules,
    under_way: TheUploads,
    sha256: Sha256,
) -> bot_schemas.WeightsUpload:
    """Begin the upload of a file that a `bot.toml` names in `[weights]`, or continue one: `received` says where.

    If `complete` is true, the file is there. An upload expires an hour after its last part.
    """
    upload = weights_uploads.begin(store, actor, sha256, body.size, rules.weights)
    return _described(upload, under_way.max_part_bytes)


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
    store: TheStore,
    actor: Author,
    under_way: TheUploads,
    sha256: Sha256,
    offset: Annotated[
        int, Query(ge=0, description="Where in the file the part begins: at `received`.", examples=[4194304])
    ],
) -> bot_schemas.WeightsUpload:
    """Send the bytes of the file from `offset` on: at most `part_bytes`, and at least 65536 unless the file ends with them.

    What has come of a part that is broken off stays, except for less than 65536 bytes: begin the upload again to learn
    where it continues.
    """
    upload = await run_in_threadpool(weights_uploads.show, store, actor, sha256)
    part = _Part(store, actor, upload, offset)
    with under_way.weights.take(actor) as place:
        upload = await part.receive(request, place, under_way.max_part_bytes)
    return _described(upload, under_way.max_part_bytes)


@router.post(
    "/{sha256}/upload/finish",
    summary="Finish the upload of weights",
    responses=answers(401, 403, 404, 409, 422, 429),
)
async def finish_weights(
    store: TheStore, actor: Author, under_way: TheUploads, sha256: Sha256
) -> bot_schemas.WeightsUpload:
    """Check that all parts together have this SHA-256; only then can an upload name the file.

    A file of another SHA-256 is deleted. Weights that no upload names are deleted after a day.
    """
    upload = await under_way.run(lambda: weights_uploads.finish(store, actor, sha256))
    _log.info("weights of %s: %d bytes, SHA-256 %s", actor.name, upload.size, sha256)
    return _described(upload, under_way.max_part_bytes)


class _Part:
    """A part of an upload that is being received.  Mutable."""

    def __init__(self, store: Store, actor: Actor, upload: WeightsUpload, offset: int) -> None:
        self._store = store
        self._actor = actor
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
            weights_uploads.add, self._store, self._actor, self._upload.sha256, self._offset, data
        )
        self._offset += size
        del self._waiting[:size]


def _described(upload: WeightsUpload, part_bytes: int) -> bot_schemas.WeightsUpload:
    return bot_schemas.WeightsUpload(
        sha256=upload.sha256,
        size=upload.size,
        received=upload.received,
        complete=upload.complete,
        part_bytes=part_bytes,
    )

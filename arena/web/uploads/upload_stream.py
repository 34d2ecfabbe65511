"""Uploads in transit: streamed into a temporary file, up to the maximum size.

    rights, quota ──▶ a place ──▶ temporary file ──▶ unpacked and stored, two at a time ──▶ the place is free

The file has no name, so that nothing of it is left after a crash.  `BoundedBodies` disconnects slow senders.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect

from arena.bundle_format import zip_archive
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.web.http.rate_limits import TryAgain
from arena.web.uploads.upload_places import RETRY_S

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi import Request

    from arena.accounts.actors import Actor
    from arena.web.uploads.upload_places import UploadPlace

_log = logging.getLogger(__name__)

_MAX_FIELDS = 10
_MAX_FIELD_BYTES = 2000
_MAX_OTHER_FIELDS_BYTES = 64 * 1024
_MAX_BODY_BYTES = zip_archive.MAX_BYTES + _MAX_OTHER_FIELDS_BYTES
"""Of a form: the file, and what its other fields may have."""
_WRITE_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form that came with one file; without one, `filename` is empty."""

    fields: Mapping[str, str]
    filename: str
    file: IO[bytes] | None

    def read(self) -> bytes:
        """Read the whole file."""
        return b"" if self.file is None else self.file.read()


def choose_folder(data: Path) -> None:
    """Put temporary files into the data directory unless TMPDIR is set: /tmp is memory on many machines."""
    if "TMPDIR" in os.environ:
        return
    folder = data / "uploads"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        _log.warning("%s: %s; uploads go through %s instead", folder, error.strerror, tempfile.gettempdir())
    else:
        tempfile.tempdir = str(folder)


@asynccontextmanager
async def received(request: Request, actor: Actor, place: UploadPlace) -> AsyncIterator[IO[bytes]]:
    """Receive a body that is an upload, into a file that lasts as long as the block.  Raises Refusal."""
    digest, size = sha256(), 0
    with tempfile.TemporaryFile() as file:
        waiting = bytearray()
        with told_apart():
            async for chunk in _bounded(request, place, zip_archive.MAX_BYTES):
                digest.update(chunk)
                size += len(chunk)
                waiting += chunk
                if len(waiting) >= _WRITE_BYTES:
                    await run_in_threadpool(file.write, waiting)
                    waiting = bytearray()
            await run_in_threadpool(file.write, waiting)
            await run_in_threadpool(file.seek, 0)
        _log.info("upload of %s: %d bytes, SHA-256 %s", actor.name, size, digest.hexdigest())
        yield file


@asynccontextmanager
async def received_form(request: Request, place: UploadPlace) -> AsyncIterator[SentForm]:
    """Receive a form with at most one file, in its field `upload`; it lasts as long as the block.  Raises Refusal."""
    parser: FormParser | MultiPartParser
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        parser = MultiPartParser(
            request.headers,
            _bounded(request, place, _MAX_BODY_BYTES),
            max_files=1,
            max_fields=_MAX_FIELDS,
            max_part_size=_MAX_FIELD_BYTES,
        )
    else:
        parser = FormParser(request.headers, _bounded(request, place, _MAX_OTHER_FIELDS_BYTES))
    with told_apart():
        form = await parser.parse()
    try:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        found = form.get("upload")
        if isinstance(found, UploadFile):
            yield SentForm(fields, found.filename or "", found.file)
        else:
            yield SentForm(fields, "", None)
    finally:
        await form.close()


@contextmanager
def told_apart() -> Iterator[None]:
    """Turn errors of a body, or of the disk it is written to, into refusals.  Raises Refusal."""
    try:
        yield
    except (MultiPartException, KeyError) as error:
        raise Refusal(
            "form_invalid",
            say("upload: the form cannot be read: {error}; send it again", error=error),
            field="upload",
        ) from error
    except ClientDisconnect as error:
        raise Refusal(
            "upload_broken_off",
            say("upload: broke off before its end"),
            field="upload",
            kind=RefusalKind.BROKEN_OFF,
        ) from error
    except OSError as error:
        _log.error("uploads cannot be written to %s: %s", tempfile.gettempdir(), error)
        raise TryAgain(
            "unavailable",
            say("upload: cannot be written to the arena's disk right now; the operator's log says why"),
            field="upload",
            kind=RefusalKind.UNAVAILABLE,
            retry_s=RETRY_S,
        ) from error


async def _bounded(request: Request, place: UploadPlace, most: int) -> AsyncGenerator[bytes, None]:
    taken = 0
    async for chunk in place.read(request.stream()):
        taken += len(chunk)
        if taken > most:
            raise Refusal(
                "too_large",
                say(
                    "upload: is larger than {most} bytes; leave out what the bot does not need",
                    most=zip_archive.MAX_BYTES,
                ),
                field="upload",
                kind=RefusalKind.TOO_LARGE,
            )
        yield chunk

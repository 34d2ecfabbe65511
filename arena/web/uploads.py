"""A form with a file, read bit by bit and no further than an upload may be long."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect

from arena.errors import Refusal
from arena.submit import archive
from arena.wording import say

if TYPE_CHECKING:
    from fastapi import Request

_MOST_FIELDS = 10
_LONGEST_FIELD = 2000
_MOST_WITHOUT = 64 * 1024
_MOST_BYTES = archive.MOST_BYTES + _MOST_WITHOUT
"""Of a form: the file, and what its other fields may have."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form that came with one file; without one, that is empty and has no name."""

    fields: Mapping[str, str]
    filename: str
    data: bytes


async def read_form(request: Request) -> SentForm:
    """Read a form with at most one file, in its field `upload`.  Raises Refusal."""
    parser: FormParser | MultiPartParser
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        parser = MultiPartParser(
            request.headers,
            _bounded(request, _MOST_BYTES),
            max_files=1,
            max_fields=_MOST_FIELDS,
            max_part_size=_LONGEST_FIELD,
        )
    else:
        parser = FormParser(request.headers, _bounded(request, _MOST_WITHOUT))
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise Refusal(
            "form_invalid",
            say("upload: the form cannot be read: {error}; send it again", error=error),
            field="upload",
        ) from error
    except ClientDisconnect as error:
        raise Refusal(
            "upload_broken_off", say("upload: did not come to its end"), field="upload", status=400
        ) from error
    try:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        file = form.get("upload")
        if not isinstance(file, UploadFile):
            return SentForm(fields, "", b"")
        return SentForm(fields, file.filename or "", await file.read())
    finally:
        await form.close()


async def _bounded(request: Request, most: int) -> AsyncGenerator[bytes, None]:
    taken = 0
    async for chunk in request.stream():
        taken += len(chunk)
        if taken > most:
            raise Refusal(
                "too_large",
                say(
                    "upload: is larger than {most} bytes; leave out what the bot does not need",
                    most=archive.MOST_BYTES,
                ),
                field="upload",
                status=413,
            )
        yield chunk

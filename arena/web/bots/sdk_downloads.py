"""Downloads for authors: the wheel of the SDK, and the protos."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Path, Request, Response

from arena.core.translatable import say
from arena.devtools import sdk_wheel
from arena.devtools.sdk_wheel import Download
from arena.service.composed_answers import File, Sdk
from arena.web.auth.api_router import operation_id
from arena.web.ui.templating import render

router = APIRouter(generate_unique_id_function=operation_id)


@router.get("/api/v1/sdk", summary="Show what authors can download", tags=["sdk"])
async def show_sdk() -> Sdk:
    """Show the SDK's wheel and the protos, as this arena speaks them."""
    wheel, protos = await asyncio.to_thread(_files)
    return Sdk(wheel=_describe(wheel), needs=tuple(sdk_wheel.needs()), protos=_describe(protos))


@router.get("/sdk", include_in_schema=False)
@router.get("/sdk/", include_in_schema=False)
async def page(request: Request) -> Response:
    """Show how to begin; pip takes the page for an index of links."""
    wheel, protos = await asyncio.to_thread(_files)
    return render(
        request,
        "sdk.html",
        address=str(request.base_url).rstrip("/"),
        wheel=_describe(wheel),
        protos=_describe(protos),
        needs=sdk_wheel.needs(),
    )


@router.get("/sdk/{name}", include_in_schema=False)
async def download(request: Request, name: Annotated[str, Path(description="A file's name.")]) -> Response:
    """Return a file."""
    found = next((file for file in await asyncio.to_thread(_files) if file.name == name), None)
    if found is None:
        raise HTTPException(404, say("There is no file {name}; /sdk lists those there are.", name=name))
    headers = {"ETag": f'"{found.sha256[:16]}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="{found.name}"'
    return Response(found.data, media_type="application/zip", headers=headers)


def attached(filename: str, data: bytes) -> Response:
    """Return a file as an attachment that no cache may keep."""
    headers = {
        "Content-Disposition": f"attachment; filename*=utf-8''{quote(filename)}",
        "Cache-Control": "no-store",
    }
    return Response(data, media_type="application/octet-stream", headers=headers)


def _files() -> tuple[Download, Download]:
    return sdk_wheel.wheel(), sdk_wheel.protos()


def _describe(file: Download) -> File:
    return File(name=file.name, path=f"/sdk/{file.name}", bytes=len(file.data), sha256=file.sha256)

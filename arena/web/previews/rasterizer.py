"""SVG to PNG: 50 ms of a core each, in one thread of its own, with the fonts of this folder.

The fonts are shipped, so that a picture is the same on every machine.  DejaVu Sans Condensed has the letters of most scripts but
those of East Asia, which Droid Sans Fallback has; a letter that neither has would be drawn as a box, so `fitting.fit` leaves it out.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Annotated

from fastapi import Depends

from arena.core.errors import RefusalKind
from arena.core.translatable import say
from arena.storage.cache import VersionedCache
from arena.web.http.app_services import service
from arena.web.http.rate_limits import TryAgain
from arena.web.previews import letters

FAMILY = "DejaVu Sans"

_MAX_WAITING = 32
_RETRY_S = 5
_MAX_BYTES = 16 << 20


class Rasterizer:
    """Draws one picture at a time, and keeps the last 16 MB of them."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="previews")
        self._waiting = 0
        self._drawn = VersionedCache(_MAX_BYTES, len)

    def find(self, svg: str) -> bytes | None:
        """Return the picture if it was drawn before."""
        cached = self._drawn.find(_name(svg))
        return None if cached is None else cached.value

    async def draw(self, svg: str) -> bytes:
        """Draw a picture when its turn comes.  Raises TryAgain where too many wait."""
        if self._waiting >= _MAX_WAITING:
            raise TryAgain(
                "busy",
                say("preview pictures: too many right now; try again in a few seconds"),
                kind=RefusalKind.UNAVAILABLE,
                retry_s=_RETRY_S,
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._draw, svg)
        finally:
            self._waiting -= 1

    def _draw(self, svg: str) -> bytes:
        return self._drawn.get(_name(svg), None, lambda: to_png(svg))


def to_png(svg: str) -> bytes:
    """Return the picture of a drawing, in the size that it names."""
    import resvg_py  # noqa: PLC0415 - a few MB that only the first picture needs

    return resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(path) for path in letters.fonts_for(svg)],
        font_family=FAMILY,
    )


def _name(svg: str) -> bytes:
    return sha256(svg.encode()).digest()


TheRasterizer = Annotated[Rasterizer, Depends(service(Rasterizer))]

"""How editors save a text: the bytes of it, by what is odd about them."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping

SAVED: Mapping[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "byte order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "byte order mark and CRLF": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
    "no end of the last line": lambda text: text.rstrip("\n").encode(),
    "UTF-16, as PowerShell writes it": lambda text: (
        codecs.BOM_UTF16_LE + text.replace("\n", "\r\n").encode("utf-16-le")
    ),
    "UTF-16, big-endian": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-32": lambda text: codecs.BOM_UTF32_LE + text.encode("utf-32-le"),
}

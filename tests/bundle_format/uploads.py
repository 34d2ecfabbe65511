"""Uploads for tests: zips made by hand, well or badly."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

TOML = 'name = "mine"\ngames = ["lost_cities"]\nentry = "mine.py"\n'
BOT = "from arena.sdk import Bot, run\n\n\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n\n\nrun(Mine())\n"


def zipped(files: Mapping[str, str | bytes], **more: bytes) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for path, content in {**files, **more}.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def project(toml: str = TOML, bot: str = BOT, **more: str | bytes) -> bytes:
    return zipped({"bot.toml": toml, "mine.py": bot, **more})


def special(path: str, kind: int, content: str = "/etc/passwd") -> bytes:
    """A project with one entry that is a link, a device or the like."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr("bot.toml", TOML)
        archive.writestr("mine.py", BOT)
        info = ZipInfo(path)
        info.create_system = 3
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, content)
    return buffer.getvalue()


def link(path: str, target: str) -> bytes:
    return special(path, stat.S_IFLNK, target)

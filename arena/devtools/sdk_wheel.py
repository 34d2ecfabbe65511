"""Downloads for authors: the SDK as a wheel of its own, and the protos in a zip.

Both are made of the arena's own files when they are first asked for, so they never lag behind; the same files give the
same bytes.  A wheel is a zip with some files about itself (Python Packaging User Guide, *Binary distribution format*).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import requires
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import arena
from arena.core.release import release
from arena.core.shipped_files import ROOT
from arena.games import registry

_PACKAGES = Path(arena.__file__).parents[1]
_NAME = "bot_arena_sdk"
_PARTS = (
    "__init__.py",
    *(
        f"core/{name}.py"
        for name in (
            *("__init__", "compiled_modules", "errors", "foreign_text", "grpc_environment"),
            *("host_and_port", "notes", "socket_folder", "translatable"),
        )
    ),
    *("declarations", "games", "net", "sdk", "v1"),
)
_NEEDS = ("grpcio", "h2", "protobuf")
_NOT_FOR_BOTS = "control"
"""Prefix of the control port's files: workers use it to talk to referees."""
_LEFT_OUT = frozenset({"board", "checks", "house_bots"})
"""A game's folders that a bot does without: what draws it, what checks it, and the house bots."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16

_ABOUT = """\
# Bot Arena: the SDK

A bot is a class with one method:

    from arena.sdk import Bot, Decision, run


    class MyBot(Bot):
        def choose(self, decision: Decision) -> str:
            return decision.random.choice(decision.legal)


    if __name__ == "__main__":
        run(MyBot())

`arena.games` has the rules of all games, and `arena.sdk.practise` plays matches with them in one process.
To play in the arena: `ARENA_REFEREE=host:port ARENA_TOKEN=... python my_bot.py`.

Where the package `bot-arena` is installed this one is not needed: it holds the same modules.
"""


@dataclass(frozen=True, slots=True)
class Download:
    """A file that authors take home."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Name its content, in hex."""
        return sha256(self.data).hexdigest()


@cache
def wheel() -> Download:
    """Make the SDK's wheel: it needs grpcio, h2 and protobuf, in the versions that the arena has."""
    number = release()
    files = dict(_modules())
    files["arena/py.typed"] = b""
    info = f"{_NAME}-{number}.dist-info"
    files[f"{info}/METADATA"] = _metadata(number).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: bot-arena\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    files[record] = "".join([*(_line(path, data) for path, data in files.items()), f"{record},,\n"]).encode()
    return Download(f"{_NAME}-{number}-py3-none-any.whl", _zip(files))


@cache
def protos() -> Download:
    """Make a zip of the protos that a bot in any language needs, to be unpacked as an import path."""
    files = {
        path.relative_to(ROOT / "protos").as_posix(): path.read_bytes()
        for path in sorted((ROOT / "protos" / "arena" / "v1").glob("*.proto"))
        if not path.name.startswith(_NOT_FOR_BOTS)
    }
    for game, package in registry.PACKAGES.items():
        # A game from outside brings its own.
        proto = package.folder / f"{game}.proto"
        if proto.is_file():
            files[f"{package.module.replace('.', '/')}/{proto.name}"] = proto.read_bytes()
    return Download(f"bot_arena_protos-{release()}.zip", _zip(files))


def needs() -> tuple[str, ...]:
    """Name what the SDK needs, with versions: what the arena itself asks for."""
    all_of_arena = requires("bot-arena") or []
    return tuple(
        each
        for each in all_of_arena
        if each.startswith(tuple(f"{name}{sign}" for name in _NEEDS for sign in "<>=!~"))
    )


def _modules() -> Iterator[tuple[str, bytes]]:
    for part in _PARTS:
        path = _PACKAGES / "arena" / part
        found = [path] if path.is_file() else sorted([*path.rglob("*.py"), *path.rglob("*.pyi")])
        for file in found:
            if not (part == "v1" and file.name.startswith(_NOT_FOR_BOTS)) and _LEFT_OUT.isdisjoint(
                file.parts
            ):
                yield file.relative_to(_PACKAGES).as_posix(), file.read_bytes()


def _metadata(number: str) -> str:
    lines = [
        "Metadata-Version: 2.4",
        "Name: bot-arena-sdk",
        f"Version: {number}",
        "Summary: Write bots for Bot Arena.",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
    ]
    lines += ["Requires-Python: >=3.11", *(f"Requires-Dist: {each}" for each in needs())]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", _ABOUT])


def _line(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for path, data in files.items():
            info = ZipInfo(path, _EPOCH)
            info.external_attr = _MODE
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()

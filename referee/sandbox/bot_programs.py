"""What a sandbox shows of each bot's program, and how it is started there: house bots, local files, uploads."""

from __future__ import annotations

import platform
from pathlib import Path

from arena.bundle_format.manifest import from_json
from arena.bundle_format.program_kind import ProgramKind, kind_of
from arena.core.errors import UsageError
from arena.referee_client.programs import house_module
from referee.sandbox import packages
from referee.sandbox.command import BOT, SITE, Program


def house(program: str) -> Program:
    """Return the program of a house bot.  Raises UsageError if there is no such bot."""
    module = house_module(program)
    return _python(program, f"{SITE}/{module.replace('.', '/')}.py", {}, house=True)


def local_file(path: Path) -> Program:
    """Return the program of a local file.  Raises UsageError if it cannot be started on this machine."""
    file = f"{BOT}/{path.name}"
    if kind_of(path.name) is ProgramKind.STATIC:
        return _static(f"file:{path}", file, {file: path})
    return _python(f"file:{path}", file, {file: path}, house=True)


def upload(sha256: str, folder: Path) -> Program:
    """Return the program of an upload that is unpacked in a folder.  Raises UsageError if it cannot be started on this machine."""
    name = f"bundle:{sha256}"
    manifest = from_json((folder / "manifest.json").read_text())
    file, shown = f"{BOT}/{manifest.entry}", {BOT: folder / "bot"}
    if manifest.kind is ProgramKind.STATIC:
        return _static(name, file, shown)
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


def _static(name: str, file: str, shown: dict[str, Path]) -> Program:
    if platform.machine() != "x86_64":
        raise UsageError(
            f"program {name!r}: is for x86-64, and this referee's machine is {platform.machine()}"
        )
    return Program(name=name, shown=shown, file=file, path=(), arguments=(file,))

"""What `arena bot submit` sends: a file as it is, a project's folder as a zip."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.bundle_format import manifest, named_weights, zip_archive
from arena.core.errors import Refusal, UsageError

_NOT_THE_BOT = frozenset({"node_modules", "__pycache__"})
_EPOCH = (1980, 1, 1, 0, 0, 0)


def read(path: Path) -> tuple[bytes, str]:
    """Read what is to be sent, and say what it is called.  Raises UsageError."""
    try:
        if path.is_dir():
            return _zipped(path), f"{path.resolve().name}.zip"
        if path.stat().st_size > zip_archive.MAX_BYTES:
            raise UsageError(f"upload {path}: has more than {zip_archive.MAX_BYTES} bytes")
        return path.read_bytes(), path.name
    except OSError as error:
        raise UsageError(
            f"upload {path}: {error.strerror}; give a .py file, a zip, or a project's folder"
        ) from error


def _zipped(folder: Path) -> bytes:
    """Zip a project; what is hidden, what its author did not write, and the weights that bot.toml names are left out."""
    if not (folder / manifest.FILE).is_file():
        raise UsageError(f"upload {folder}: has no {manifest.FILE}; write one, such as docs/bots.md shows")
    buffer, left = BytesIO(), zip_archive.MAX_BYTES
    has_weights = _names_weights(folder)
    with ZipFile(buffer, "w", ZIP_DEFLATED) as made:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if any(part in _NOT_THE_BOT or part[0] == "." for part in inside.parts):
                continue
            if has_weights and inside.parts[0] == named_weights.FOLDER:
                continue
            if path.is_symlink():
                raise UsageError(f"upload {path}: is a symbolic link; put the file itself there")
            if path.is_file():
                left -= path.stat().st_size
                if left < 0:
                    raise UsageError(
                        f"upload {folder}: has more than {zip_archive.MAX_BYTES} bytes; take out what the bot does not need"
                    )
                made.writestr(ZipInfo(inside.as_posix(), _EPOCH), path.read_bytes(), ZIP_DEFLATED)
    return buffer.getvalue()


def _names_weights(folder: Path) -> bool:
    """Return whether a project names weights; what is wrong with its bot.toml is said when the upload is read."""
    try:
        return bool(manifest.read_toml((folder / manifest.FILE).read_bytes()).weights)
    except Refusal:
        return False

"""Contents of a submission: a file as it is, a project's folder as a zip."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.bundle_format import manifest, named_weights, zip_archive
from arena.bundle_format.litter import ENVIRONMENT
from arena.core.errors import Refusal, UsageError
from arena.devtools.project import own_files

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
    """Zip a project; files that are hidden, that its author did not write, and the weights that bot.toml names are left out."""
    if not (folder / manifest.FILE).is_file():
        raise UsageError(f"upload {folder}: has no {manifest.FILE}; write one, such as docs/bots.md shows")
    buffer, left = BytesIO(), zip_archive.MAX_BYTES
    has_weights = _names_weights(folder)
    with ZipFile(buffer, "w", ZIP_DEFLATED) as made:
        for path in sorted(own_files(folder)):
            inside = path.relative_to(folder)
            if has_weights and inside.parts[0] == named_weights.FOLDER:
                continue
            if path.is_symlink():
                _check_link(path, folder)
            if path.is_file():
                left -= path.stat().st_size
                if left < 0:
                    raise UsageError(
                        f"upload {folder}: has more than {zip_archive.MAX_BYTES} bytes; take out what the bot does not need"
                    )
                made.writestr(ZipInfo(inside.as_posix(), _EPOCH), path.read_bytes(), ZIP_DEFLATED)
    return buffer.getvalue()


def _check_link(path: Path, folder: Path) -> None:
    """Check that a symbolic link leads to a file of the project, which is then sent in its place.  Raises UsageError."""
    target = path.resolve()
    if not target.exists():
        advice = "leads nowhere; remove it"
    elif (folder / ENVIRONMENT).exists():
        advice = (
            f"leads to {target}; the project's folder is itself a virtual environment (it has {ENVIRONMENT}):"
            " make that in a folder .venv, and remove what it has put here"
        )
    elif target.is_dir():
        advice = "leads to a folder; put the folder itself there"
    elif not target.is_relative_to(folder.resolve()):
        advice = f"leads out of the project, to {target}; put the file itself there"
    else:
        return
    raise UsageError(f"upload {path}: is a symbolic link that {advice}")


def _names_weights(folder: Path) -> bool:
    """Return whether a project names weights; what is wrong with its bot.toml is said when the upload is read."""
    try:
        return bool(manifest.read_toml((folder / manifest.FILE).read_bytes()).weights)
    except Refusal:
        return False

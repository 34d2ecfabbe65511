"""The weights of a bot's project: the files in its folder `weights` that its bot.toml names, each with its SHA-256."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from arena.bundle_format import named_weights
from arena.bundle_format.named_weights import WeightsFile
from arena.core.errors import UsageError

_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class LocalWeights:
    """A file of weights that is there, and is what bot.toml says."""

    path: Path
    sha256: str
    size: int

    def parts(self) -> Iterator[bytes]:
        """Read it bit by bit."""
        with self.path.open("rb") as file:
            while part := file.read(_READ_BYTES):
                yield part


def find_weights(folder: Path, named: Iterable[WeightsFile]) -> tuple[LocalWeights, ...]:
    """Find the weights of a project, and check them.  Raises UsageError naming the file."""
    return tuple(_find(folder, *each) for each in named)


def _find(folder: Path, name: str, sha256: str) -> LocalWeights:
    path = folder / named_weights.FOLDER / name
    try:
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
            size = file.seek(0, 2)
    except OSError as error:
        raise UsageError(
            f"weights {name}: {path}: {error.strerror}; put the file there, or take it out of bot.toml"
        ) from error
    if found != sha256:
        raise UsageError(
            f"weights {name}: {path} has the SHA-256 {found}, and bot.toml says {sha256}; write the first there if this is the right file"
        )
    return LocalWeights(path, sha256, size)

"""What `arena bot submit` sends before a bot: the weights that it names and the arena does not have yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from arena.bundle_format.manifest import Manifest
from arena.cli.support import progress_bar
from arena.client import ArenaClient
from arena.core.errors import Refusal, RefusalKind
from arena.devtools.project_weights import LocalWeights, find_weights

_MIB = 1 << 20


def find(path: Path, said: Manifest) -> tuple[LocalWeights, ...]:
    """Find the weights of what is submitted; those of a zip have to be at the arena already.  Raises UsageError."""
    return find_weights(path, said.weights) if path.is_dir() else ()


def send(client: ArenaClient, weights: tuple[LocalWeights, ...]) -> None:
    """Send those that the arena does not have yet, with a progress bar on a terminal.  Raises Refused or ArenaUnreachable."""
    for each in weights:
        if _is_there(client, each.sha256):
            continue
        with progress_bar.counting(f"{each.path.name}, MiB") as show:
            client.upload_weights(each.sha256, _shown(each, show), size=each.size)


def _is_there(client: ArenaClient, sha256: str) -> bool:
    try:
        client.show_weights(sha256)
    except Refusal as refusal:
        if refusal.kind is not RefusalKind.NOT_FOUND:
            raise
        return False
    return True


def _shown(weights: LocalWeights, show: Callable[[int, int], None]) -> Iterator[bytes]:
    done = 0
    for part in weights.parts():
        yield part
        done += len(part)
        show(done // _MIB, max(1, weights.size // _MIB))

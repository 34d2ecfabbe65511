"""Weights that `arena bot submit` sends before a bot: those that it names and the arena does not have yet."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from arena.bundle_format.manifest import Manifest
from arena.cli.support import progress_bar
from arena.cli.support.door import Arena
from arena.cli.support.output import echo
from arena.client.weights_sender import Pause, send_weights
from arena.core.errors import ArenaError
from arena.devtools.project_weights import LocalWeights, find_weights

_MIB = 1 << 20


def find(path: Path, said: Manifest) -> tuple[LocalWeights, ...]:
    """Find the weights of what is submitted; those of a zip have to be at the arena already.  Raises UsageError."""
    return find_weights(path, said.weights) if path.is_dir() else ()


def send(arena: Arena, weights: tuple[LocalWeights, ...]) -> None:
    """Send those that the arena does not have yet, with a progress bar on a terminal.  Raises Refused or ArenaUnreachable."""
    for each in weights:
        with progress_bar.counting(f"{each.path.name}, MiB") as show, each.path.open("rb") as file:
            send_weights(
                arena.bots, each.sha256, file, each.size, show=_shown(each, show), pause=_announced(each)
            )


def _shown(weights: LocalWeights, show: Callable[[int, int], None]) -> Callable[[int], None]:
    return lambda received: show(received // _MIB, max(1, weights.size // _MIB))


def _announced(weights: LocalWeights) -> Pause:
    def pause(error: ArenaError, pause_s: float) -> None:
        echo(f"weights {weights.path.name}: {error}; trying again in {pause_s:g} s", err=True)
        time.sleep(pause_s)

    return pause

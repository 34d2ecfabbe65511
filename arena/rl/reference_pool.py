"""Pools of house bots that are frozen and have ratings: what a bot can be measured against at home, today and in a year.

A pool is a file of this package, `pools/NAME.json`. For each game it says at which tables is played, from which seed, by which bots,
and the Elo of each. It also has the SHA-256 of everything that these ratings depend on; if any of that has changed, the pool is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from arena.core.errors import ArenaError, UsageError
from arena.games import registry

FOLDER = Path(__file__).parent / "pools"
_ROOT = Path(__file__).parent.parent.parent
_SHARED_SOURCES = ("bots/random.py",)


class PoolChanged(ArenaError):  # noqa: N818 - it says what happened
    """Raised when what the ratings of a pool depend on is not what it was when they were measured."""


@dataclass(frozen=True, slots=True)
class PoolBot:
    """A bot of a pool: its Elo, and the half width of its 95 % interval."""

    bot: str
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class Pool:
    """Reference pool of one game: the protocol, the bots, and their versions when their ratings were measured."""

    name: str
    game: str
    variant: str
    seats: int
    options: Mapping[str, int]
    rules_version: int
    seed: str
    """64 hex digits."""
    sets: int
    """Number of sets of each combination of bots with which the ratings were measured."""
    bots: tuple[PoolBot, ...]
    sources: Mapping[str, str]
    """By file, the SHA-256 of what plays."""
    sha256: str
    """Of all of the above but the ratings."""


def names() -> tuple[str, ...]:
    """Name the pools there are."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.json")))


def read(name: str, game: str) -> Pool:
    """Read the part of a pool that is of one game.  Raises UsageError for a pool or game that is not there."""
    if name not in names():
        raise UsageError(f"pool {name!r}: must be one of {', '.join(names())}")
    document = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    if game not in document:
        raise UsageError(f"game {game!r}: the pool {name} has {', '.join(document)}")
    fields = document[game]
    return Pool(**{**fields, "bots": tuple([PoolBot(**bot) for bot in fields["bots"]])})


def check(pool: Pool) -> None:
    """Check that bots and rules are those that were rated.  Raises PoolChanged naming what is not."""
    rules = registry.find(pool.game)
    if rules.rules_version != pool.rules_version:
        raise PoolChanged(
            f"the pool has changed: {pool.name} was rated with version {pool.rules_version} of the rules of {pool.game}, "
            f"this is version {rules.rules_version}"
        )
    now = sources_of(pool.game, [each.bot for each in pool.bots])
    changed = sorted(file for file in {*now, *pool.sources} if now.get(file) != pool.sources.get(file))
    if changed:
        raise PoolChanged(
            f"the pool has changed: {', '.join(changed)} differ from what {pool.name} was rated with; "
            "use the release of Bot Arena that has this pool, or another pool"
        )
    if digest_of(pool) != pool.sha256:
        raise PoolChanged(
            f"the pool has changed: the part of {pool.name} on {pool.game} is not what its SHA-256 says"
        )


def digest_of(pool: Pool) -> str:
    """Return the SHA-256 of a pool: of its protocol, its bots' names and sources, but not of its ratings."""
    document = asdict(pool)
    del document["sha256"]
    document["bots"] = [each.bot for each in pool.bots]
    return sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def sources_of(game: str, bots: list[str]) -> dict[str, str]:
    """Return the SHA-256 of each file of the bots: their own, and the shared ones."""
    folder = registry.package(game).folder / "house_bots"
    files = [folder / f"{bot}.py" for bot in bots if (folder / f"{bot}.py").is_file()]
    files += [file for file in folder.glob("_*.py") if file.stem != "__init__"]
    files += [_ROOT / name for name in _SHARED_SOURCES if "random" in bots]
    return {
        str(file.relative_to(_ROOT).as_posix()): sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
    }

"""Golden matches: whole records of random matches as text, one step a line, which change only where the rules do.

They lie in a game's folder, in `checks/golden`; `make golden` writes those of this tree again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.games.chance import commitment
from arena.games.checks import Checks
from arena.games.kernel import AnyGame, Played
from arena.games.playouts import Configuration, Playout, Point, configurations, play
from arena.match.record import Ending, Participant, Record, RecordedStep, to_json

_SEED = bytes.fromhex("0123456789abcdef" * 4)


class GoldenMatch(NamedTuple):
    """A match that is played for a golden file, and the file's name without its ending."""

    name: str
    configuration: Configuration
    options: Mapping[str, int]


def golden_matches(game: AnyGame, checks: Checks) -> Iterator[GoldenMatch]:
    """List the golden matches of a game: one or more for each variant and seat count.

    A match is named by its variant and seats, and by its options where a configuration has several matches.
    """
    for configuration in configurations(game):
        for options in checks.golden_options:
            ending = "".join(f"-{name}{value}" for name, value in options.items())
            name = f"{configuration}{ending if len(checks.golden_options) > 1 else ''}"
            yield GoldenMatch(name, configuration, options)


def play_golden(match: GoldenMatch) -> str:
    """Play a golden match and write its record, one step a line."""
    played = play(match.configuration, _SEED, random.Random(11), **match.options)
    document = json.loads(to_json(record(played, match.name)))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "steps"]
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in document["steps"])
    lines.insert(-1, f'  "steps": [\n{steps}\n  ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_golden(game: AnyGame, checks: Checks, folder: Path) -> None:
    """Write the golden matches of a game into a folder; those of the game that are no longer played are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        path.unlink()
    for match in golden_matches(game, checks):
        (folder / f"{match.name}.json").write_text(play_golden(match), encoding="utf-8")


def record(playout: Playout, match: str = "m-1") -> Record:
    """Write down a whole match, as if each seat had taken 1.5 ms for what it was asked.  Raises ValueError for one that is not over."""
    game = playout.configuration.game
    result = game.result(playout.last)
    if result is None:
        raise ValueError(f"match {match!r}: a record is of a match that is over")
    return Record(
        match=match,
        game=game.id,
        variant=playout.setup.variant,
        options=playout.setup.options,
        seed=playout.seed,
        commitment=commitment(match, playout.seed),
        seats=tuple(Participant(f"bot {seat}", "1", talks) for seat, talks in enumerate(playout.setup.talks)),
        steps=(*map(RecordedStep, playout.opening), *_time(game, playout.points)),
        result=Ending(result.places, result.end, result.scores, result.detail),
    )


def _time(game: AnyGame, points: Sequence[Point]) -> list[RecordedStep]:
    return [
        RecordedStep(
            step, 1.5 * (len(game.legal(point.state, step.seat)) > 1) if isinstance(step, Played) else None
        )
        for point in points
        for step in point.steps
    ]

"""The golden matches: which there are, how they are played and written."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.match.record import to_json
from tests.games.playing import TABLES, Table, play, record

FOLDER = Path(__file__).parent
SEED = bytes.fromhex("0123456789abcdef" * 4)


OPTIONS: dict[str, tuple[Mapping[str, int], ...]] = {
    "lost_cities": ({"hands": 2},),  # shows who starts the second
    "lifeboats": ({}, {"dealt": 1}),
}
"""By game: the options of its golden matches, where one with the standard options does not show all."""


def matches() -> Iterator[tuple[str, tuple[Table, Mapping[str, int]]]]:
    """Name each match by its table, and by its options where a table has several."""
    for table in TABLES:
        chosen = OPTIONS.get(table.game.id, ({},))
        for options in chosen:
            ending = "".join(f"-{name}{value}" for name, value in options.items()) if len(chosen) > 1 else ""
            yield f"{table}{ending}", (table, options)


MATCHES = dict(matches())


def write(name: str) -> str:
    """Play a golden match and write its record, one step a line."""
    table, options = MATCHES[name]
    document = json.loads(to_json(record(play(table, SEED, random.Random(11), **options), name)))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "steps"]
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in document["steps"])
    lines.insert(-1, f'  "steps": [\n{steps}\n  ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"

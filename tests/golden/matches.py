"""The golden matches: which there are, how they are played and written."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path

from arena.match.record import to_json
from tests.games.playing import TABLES, Table, play, record

FOLDER = Path(__file__).parent
SEED = bytes.fromhex("0123456789abcdef" * 4)


def options(table: Table) -> Mapping[str, int]:
    """Two hands of Lost Cities show who starts the second; all other games are played whole."""
    return {"hands": 2} if table.game.id == "lost_cities" else {}


MATCHES = {str(table): table for table in TABLES}


def write(name: str) -> str:
    """Play a golden match and write its record, one step a line."""
    table = MATCHES[name]
    document = json.loads(to_json(record(play(table, SEED, random.Random(11), **options(table)), name)))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "steps"]
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in document["steps"])
    lines.insert(-1, f'  "steps": [\n{steps}\n  ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"

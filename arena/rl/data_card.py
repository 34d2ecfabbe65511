"""The card of a data set: what is in it, where it is from, and how it can be made again, in Markdown."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

from arena.core.release import release
from arena.games import registry
from arena.rl.decision_rows import COLUMNS, FORMAT, DecisionFile


def card_of(file: Path) -> Path:
    """Return the path of a data set's card: next to it."""
    return file.with_name(f"{file.name}.md")


def write_card(
    file: Path, game: str, written: DecisionFile, *, source: str, facts: Sequence[tuple[str, str]]
) -> None:
    """Write the card of a data set; `source` says where its matches are from, `facts` what else they follow from."""
    package = registry.package(game)
    lines = [
        f"# {file.name}: decisions in {package.game.title}",
        "",
        f"A row for each decision that a seat was asked for, in the format `{FORMAT}` (Parquet). {source}",
        "",
        "| | |",
        "| --- | --- |",
        *[f"| {name} | {value} |" for name, value in facts],
        f"| matches | {written.matches} |",
        f"| decisions | {written.rows} |",
        f"| rules | `{game}`, version {package.game.rules_version} |",
        f"| view | the bytes of `{package.codec.VIEW_TYPE}` |",
        f"| written by | Bot Arena {release()}, pyarrow {pa.__version__}, Python {platform.python_version()} |",
        f"| SHA-256 | `{_digest(file)}` |",
        "",
        "| column | type | |",
        "| --- | --- | --- |",
        *[f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in COLUMNS],
        "",
    ]
    card_of(file).write_text("\n".join(lines), encoding="utf-8")


def _digest(file: Path) -> str:
    digest = sha256()
    with file.open("rb") as opened:
        while part := opened.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()

"""Data sets of decisions: a row for each decision that a seat was asked for, in Parquet.

The view is in it as the seat got it: the bytes of the game's view message (`arena.v1`), which a game's codec reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from arena.core.errors import UsageError
from arena.games import registry

FORMAT: Final = "arena-decisions/1"

COLUMNS: Final[tuple[tuple[str, pa.DataType, str], ...]] = (
    ("match", pa.string(), "the match's id"),
    ("seed", pa.binary(32), "the seed that the match was dealt from"),
    ("seat", pa.int8(), "whose decision it is, counted from 0"),
    ("bot", pa.string(), "the bot in that seat, as NAME@VERSION"),
    ("step", pa.int32(), "the number of the decision's step in the record, counted from 0"),
    ("view", pa.binary(), "the seat's view, as the bytes of the game's view message"),
    ("legal", pa.list_(pa.string()), "the legal actions; empty where the seat might talk"),
    ("action", pa.string(), "the action chosen; what was said, as JSON, where the seat might talk"),
    ("ms", pa.float64(), "how long the seat thought, in milliseconds; null if it was not measured"),
    ("notes", pa.string(), "what the bot noted on its choice, as JSON; null if nothing"),
    ("score", pa.int32(), "the seat's score at the end of the match; null after a fault"),
    ("place", pa.int8(), "the seat's place at the end of the match, 1 for the best"),
)
"""Name, type and meaning of each column."""

SCHEMA: Final = pa.schema([pa.field(name, kind) for name, kind, _ in COLUMNS])
_LEVEL: Final = 3
_GROUP_ROWS: Final = 1 << 14
"""Rows that are written as one group, at least; the last group may have fewer."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision, what was chosen, and what became of it; its fields are the columns."""

    match: str
    seed: bytes
    seat: int
    bot: str
    step: int
    view: bytes
    legal: tuple[str, ...]
    action: str
    ms: float | None
    notes: str | None
    score: int | None
    place: int


def to_table(rows: Sequence[DecisionRow]) -> pa.Table:
    """Put rows into columns."""
    columns = [pa.array([getattr(row, field.name) for row in rows], field.type) for field in SCHEMA]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


class DecisionFile:
    """A Parquet file that is being written; it takes its place when it is whole.  Mutable."""

    def __init__(self, file: Path, game: str, about: Mapping[str, str]) -> None:
        """Begin a file with the decisions of one game; `about` goes into its metadata.  Raises UsageError."""
        self.rows = 0
        self.matches = 0
        self._waiting: list[pa.Table] = []
        self._waiting_rows = 0
        self._file = file
        self._draft = file.with_name(f".{file.name}.draft")
        view = registry.package(game).codec.VIEW_TYPE
        metadata = {"format": FORMAT, "game": game, "view_type": view, **about}
        try:
            self._writer = pq.ParquetWriter(
                self._draft, SCHEMA.with_metadata(metadata), compression="zstd", compression_level=_LEVEL
            )
        except OSError as error:
            raise UsageError(f"out {str(file)!r}: cannot be written: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        if kind is None:
            self._draft.replace(self._file)
        else:
            self._draft.unlink()

    def write(self, table: pa.Table, matches: int) -> None:
        """Write the decisions of some matches."""
        self.rows += table.num_rows
        self.matches += matches
        self._waiting.append(table)
        self._waiting_rows += table.num_rows
        if self._waiting_rows >= _GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        """Write what waits as one group of rows."""
        if self._waiting_rows:
            self._writer.write_table(pa.concat_tables(self._waiting).combine_chunks())
        self._waiting.clear()
        self._waiting_rows = 0


@dataclass(frozen=True, slots=True)
class DecisionSet:
    """A data set that was read: what its file says of itself, and its columns."""

    about: Mapping[str, str]
    table: pa.Table

    def rows(self) -> Iterator[DecisionRow]:
        """Yield all decisions, in the order of the file."""
        for batch in self.table.to_batches():
            for values in batch.to_pylist():
                yield DecisionRow(**{**values, "legal": tuple(values["legal"])})

    def view(self, row: DecisionRow) -> Any:  # noqa: ANN401 - each game has its own view
        """Return the view of a row, as bots get it."""
        return registry.package(self.about["game"]).codec.decode(row.view)


def read(file: Path) -> DecisionSet:
    """Read a data set.  Raises UsageError for a file that is none."""
    try:
        table = pq.read_table(file)
    except (OSError, pa.ArrowInvalid) as error:
        raise UsageError(f"data set {str(file)!r}: cannot be read: {error}") from error
    about = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    if about.get("format") != FORMAT:
        raise UsageError(f"data set {str(file)!r}: has no decisions in the format {FORMAT}")
    return DecisionSet(about, table)


def write_line(text: str, claims: Sequence[Mapping[str, object]]) -> str:
    """Write a line of talk as the column `action` has it."""
    return json.dumps({"text": text, "claims": list(claims)}, ensure_ascii=False, separators=(",", ":"))

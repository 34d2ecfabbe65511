"""The stores that benchmarks measure: made as large as they are asked for, and copied to PostgreSQL row by row."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from arena.storage import Store
from arena.storage.schema import Base, MatchResult, Record
from bench import crowd, store_copy
from bench.crowd import Cup, Size
from tests.parts import postgres_server

SMALL = Size(
    "small",
    {"lost_cities": 12},
    (Cup("lost_cities", 8), Cup("lost_cities", 6, share=0.5)),
    epochs=1,
    rounds=1,
    all_records=True,
    history_days=1,
)
MATCHES = 8 * 7 + 6 * 5 // 2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("crowd") / "small.sqlite3"
    crowd.build(f"sqlite:///{file}", SMALL)
    return file


def rows(url: str) -> dict[str, int]:
    store = Store.open(url)
    with store.read() as session:
        counted = {
            name: session.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Base.metadata.tables.items()
        }
    store.close()
    return counted


def test_crowd_has_the_matches_of_its_cups_and_its_ladder(made: Path) -> None:
    assert rows(f"sqlite:///{made}")[MatchResult.__tablename__] >= MATCHES


def test_each_match_of_a_crowd_has_a_record_where_all_shall(made: Path) -> None:
    counted = rows(f"sqlite:///{made}")
    assert counted[Record.__tablename__] == counted[MatchResult.__tablename__]


@pytest.mark.postgres
def test_copied_store_has_the_same_rows_in_each_table(made: Path) -> None:
    with postgres_server.running() as server:
        url = server.new_database()
        store_copy.copy(made, url)
        assert rows(url) == rows(f"sqlite:///{made}")

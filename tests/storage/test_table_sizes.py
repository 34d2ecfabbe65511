"""The sizes of a store's tables, on both databases."""

from __future__ import annotations

from arena.storage import Store
from arena.storage.schema import Base
from arena.storage.table_sizes import table_sizes
from tests.decided_matches import alphabetical, new_tournament, play


def test_each_table_is_told_with_its_rows_and_its_room(store: Store) -> None:
    play(store, new_tournament(store).id, alphabetical)
    sizes = {size.table: size for size in table_sizes(store)}
    assert sizes.keys() == Base.metadata.tables.keys()
    assert sizes["record"].rows == sizes["match_result"].rows > 0
    assert all(size.size_bytes is not None and size.size_bytes > 0 for size in sizes.values())


def test_the_largest_table_comes_first(store: Store) -> None:
    sizes = [size.size_bytes or 0 for size in table_sizes(store)]
    assert sizes == sorted(sizes, reverse=True)

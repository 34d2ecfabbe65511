"""`arena db`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from arena.core.settings import database_url
from arena.storage import Store
from tests import random_tournaments
from tests.cli.running import run


def test_an_upgrade_makes_the_store(tmp_path: Path) -> None:
    done = run("db", "upgrade", "--data", str(tmp_path / "new"))
    assert done.code == 0
    assert "new" in done.out
    assert (tmp_path / "new" / "arena.db").exists()


def test_a_second_upgrade_says_that_there_was_nothing_to_do(tmp_path: Path) -> None:
    run("db", "upgrade", "--data", str(tmp_path))
    assert "already" in run("db", "upgrade", "--data", str(tmp_path)).out


def test_an_upgrade_as_json_names_the_schema_before_and_after(tmp_path: Path) -> None:
    run("db", "upgrade", "--data", str(tmp_path))
    document = json.loads(run("db", "upgrade", "--data", str(tmp_path), "--json").out)
    assert document["before"] == document["schema"]


def test_a_contraction_of_a_store_without_anything_to_remove_says_so(tmp_path: Path) -> None:
    run("db", "upgrade", "--data", str(tmp_path))
    assert "already" in run("db", "contract", "--data", str(tmp_path)).out


def test_a_database_that_cannot_be_reached_is_one_line_with_the_remedy() -> None:
    done = run("db", "upgrade", ARENA_DATABASE_URL="postgresql://me:hush@127.0.0.1:1/arena")
    assert done.code == 1
    assert done.error.startswith("arena: store postgresql")
    assert "ARENA_DATABASE_URL" in done.error
    assert "hush" not in done.error
    assert done.error.count("\n") == 1


def test_a_url_of_another_database_is_a_usage_error() -> None:
    done = run("db", "upgrade", ARENA_DATABASE_URL="mysql://host/arena")
    assert done.code == 2
    assert "must be sqlite:///PATH or postgresql://" in done.error


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("db", "upgrade", "--data", str(tmp_path / "file" / "data"))
    assert done.code == 1
    assert str(tmp_path / "file") in done.error


def test_upgrade_makes_the_house_bots_known(tmp_path: Path) -> None:
    assert run("db", "upgrade", "--data", str(tmp_path)).code == 0
    create = ("tournament", "create", "lost_cities", "--bots", "greedy,random", "--data", str(tmp_path))
    assert run(*create).code == 0


def test_old_records_are_deleted_as_asked(tmp_path: Path) -> None:
    run("db", "upgrade", "--data", str(tmp_path))
    store = Store.open(database_url(tmp_path))
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number)
    store.close()
    data = ("--data", str(tmp_path))
    assert run("db", "prune", *data).out == "deleted: 0 records, 0 outputs of bots, 0 uploads\n"
    done = run("db", "prune", "--records-days", "0.0000001", *data, "--json")
    assert json.loads(done.out) == {"records": 2, "outputs": 0, "uploads": 0}
    archive = tmp_path / "t.zip"
    assert run("tournament", "export", str(number), str(archive), *data).code == 0
    checked = run("verify", "--tournament", str(archive))
    assert checked.code == 0
    assert "2 records are no longer stored" in checked.out


def test_the_sizes_of_the_tables_are_told_and_what_a_match_takes(tmp_path: Path) -> None:
    run("db", "upgrade", "--data", str(tmp_path))
    store = Store.open(database_url(tmp_path))
    random_tournaments.play(
        store, random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    )
    store.close()
    told = run("db", "sizes", "--data", str(tmp_path))
    assert re.search(r"record +\S* +2 ", told.out)
    assert re.search(r"[\d,]+ bytes for each of 2 matches", told.out)
    document = json.loads(run("db", "sizes", "--data", str(tmp_path), "--json").out)
    sizes = {size["table"]: size for size in document["tables"]}
    assert sizes["match_result"]["rows"] == 2
    assert sum(size["size_bytes"] for size in document["tables"]) <= (tmp_path / "arena.db").stat().st_size

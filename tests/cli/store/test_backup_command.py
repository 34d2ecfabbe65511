"""`arena backup`."""

from __future__ import annotations

import json
import time
from pathlib import Path

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.core.settings import database_url
from arena.operations import last_backup
from arena.storage import Store
from tests.cli.running import run


def new(data: Path) -> None:
    run("db", "upgrade", "--data", str(data))


def test_a_store_is_backed_up_and_restored(tmp_path: Path) -> None:
    new(tmp_path / "old")
    store = Store.open(database_url(tmp_path / "old"))
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    store.close()
    file = tmp_path / "arena.zip"
    done = run("backup", "create", str(file), "--data", str(tmp_path / "old"))
    assert (done.code, done.error) == (0, "")
    assert done.out.startswith(f"{file}: ")
    done = run("backup", "restore", str(file), "--data", str(tmp_path / "new"))
    assert (done.code, done.error) == (0, "")
    assert f"rows from {file}" in done.out
    assert "mine" in run("bot", "list", "--data", str(tmp_path / "new")).out


def test_a_second_restore_is_refused_with_one_line(tmp_path: Path) -> None:
    new(tmp_path / "old")
    store = Store.open(database_url(tmp_path / "old"))
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    store.close()
    file = str(tmp_path / "arena.zip")
    run("backup", "create", file, "--data", str(tmp_path / "old"))
    done = run("backup", "restore", file, "--data", str(tmp_path / "old"))
    assert (done.code, done.out) == (2, "")
    assert done.error.count("\n") == 1
    assert "is in use, there are rows in audit, bot, bot_token" in done.error


def test_both_print_json(tmp_path: Path) -> None:
    new(tmp_path / "old")
    file = tmp_path / "arena.zip"
    written = json.loads(run("backup", "create", str(file), "--data", str(tmp_path / "old"), "--json").out)
    assert written["bytes"] == file.stat().st_size
    assert {table["name"] for table in written["tables"]} >= {"bot", "tournament", "record"}
    restored = json.loads(run("backup", "restore", str(file), "--data", str(tmp_path / "new"), "--json").out)
    assert restored["tables"] == written["tables"]
    assert restored["schema_now"] == written["schema"]


def test_a_file_that_is_no_backup_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear all")
    done = run("backup", "restore", str(tmp_path / "letter.txt"), "--data", str(tmp_path / "new"))
    assert done.code == 2
    assert done.error.startswith(f"arena: {tmp_path / 'letter.txt'}: File is not a zip file")
    assert not (tmp_path / "new").exists()


def test_backups_in_a_folder_are_named_by_their_time_and_only_so_many_are_kept(tmp_path: Path) -> None:
    new(tmp_path / "old")
    folder = tmp_path / "backups"
    folder.mkdir()
    names = [f"arena-2026-05-0{day}T031500Z.zip" for day in range(1, 5)]
    for name in [*names, "letter.txt", "arena-2026-05-01.zip"]:
        (folder / name).touch()
    done = run("backup", "create", "--to", str(folder), "--keep", "3", "--data", str(tmp_path / "old"))
    assert (done.code, done.error) == (0, "")
    assert [line.partition(": ")[2] for line in done.out.splitlines()[1:]] == ["removed, 3 are kept"] * 2
    left = sorted(each.name for each in folder.iterdir())
    written = done.out.partition(": ")[0]
    assert left == sorted([*names[2:], "letter.txt", "arena-2026-05-01.zip", Path(written).name])
    assert run("backup", "restore", written, "--data", str(tmp_path / "new")).code == 0


def test_a_backup_that_fails_removes_none(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "arena-2026-05-01T031500Z.zip").touch()
    done = run("backup", "create", "--to", str(folder), "--keep", "1", "--data", str(tmp_path / "nowhere"))
    assert done.code != 0
    assert [each.name for each in folder.iterdir()] == ["arena-2026-05-01T031500Z.zip"]


def test_where_the_backup_is_to_be_must_be_said_once(tmp_path: Path) -> None:
    for given in ([], ["arena.zip", "--to", str(tmp_path)]):
        done = run("backup", "create", *given, "--data", str(tmp_path))
        assert (done.code, "FILE or --to DIR: give one of them" in done.error) == (2, True)
    done = run("backup", "create", "arena.zip", "--keep", "3", "--data", str(tmp_path))
    assert (done.code, "--keep 3: needs --to DIR" in done.error) == (2, True)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    new(tmp_path / "old")
    (tmp_path / "backups").touch()
    done = run("backup", "create", "--to", str(tmp_path / "backups"), "--data", str(tmp_path / "old"))
    assert (done.code, f"{tmp_path / 'backups'}: is a file; name the folder" in done.error) == (2, True)


def test_the_store_remembers_when_it_was_last_backed_up(tmp_path: Path) -> None:
    new(tmp_path / "old")
    before = time.time()
    run("backup", "create", str(tmp_path / "arena.zip"), "--data", str(tmp_path / "old"))
    store = Store.open(database_url(tmp_path / "old"))
    at = last_backup.read(store)
    store.close()
    assert at is not None
    assert before <= at <= time.time()


def test_a_backup_that_is_whole_is_verified_without_the_arena_s_store(tmp_path: Path) -> None:
    new(tmp_path / "old")
    file = tmp_path / "arena.zip"
    run("backup", "create", str(file), "--data", str(tmp_path / "old"))
    done = run("backup", "verify", str(file), ARENA_DATA=str(tmp_path / "none"))
    assert (done.code, done.error) == (0, "")
    assert done.out.startswith(f"{file}: whole, ")


def test_a_damaged_backup_is_one_line_that_says_so(tmp_path: Path) -> None:
    file = tmp_path / "arena.zip"
    file.write_bytes(b"PK damaged")
    done = run("backup", "verify", str(file))
    assert done.code == 2
    assert done.error == f"arena: {file}: File is not a zip file; nothing was restored, take another backup\n"

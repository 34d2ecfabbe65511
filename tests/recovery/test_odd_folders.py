"""An arena in folders whose names mean something to URLs, shells or sockets: it starts, plays, stops and starts again there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.odd_names import ODD_NAMES
from tests.parts.arena_process import RunningArena, create, is_over
from tests.patience import wait_until

LONG = ODD_NAMES[-1]
ALL_AT_ONCE = " ".join(name for name in ODD_NAMES if name != LONG)


@pytest.mark.parametrize("name", [ALL_AT_ONCE, LONG], ids=["odd", "long"])
def test_an_arena_plays_stops_and_starts_again_in_any_folder(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.mkdir()
    with RunningArena(place / "data", workers=1, environment={"TMPDIR": str(place)}) as arena:
        store = arena.open_store()
        tournament = create(store, cycles=1)
        wait_until(lambda: is_over(store, tournament), "it is played", within_s=120)
        assert arena.stop() == 0
        arena.start()
        assert arena.get("/") == 200
        assert is_over(store, tournament)
        store.close()
    assert (place / "data/arena.db").is_file(), "the store is in the folder that was named"
    backup, again = str(place / "backup.zip"), str(place / "again")
    for command in (("backup", backup, "--data", str(place / "data")), ("restore", backup, "--data", again)):
        done = run(*command)
        assert done.code == 0, done.error
    assert (place / "again/arena.db").is_file()


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_match_is_played_recorded_checked_and_shown_in_any_folder(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / name
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    for command in (
        ("bot", "new", "my_bot", "--game", "lost_cities"),
        ("match", "lost_cities", "my_bot", "greedy", "--option", "hands=1", "--records", name[:100]),
        ("verify", name[:100]),
    ):
        done = run(*command, within=place)
        assert done.code == 0, done.error
    record = next((place / name[:100]).glob("*[!s].json"))
    for shown in (("view", str(record), "--out", "page.html"), ("bot", "replay", str(record), "my_bot")):
        done = run(*shown, within=place)
        assert done.code == 0, done.error

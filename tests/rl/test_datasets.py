"""Data sets have what seats were asked with, whether they come from matches in bulk or from records."""

import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from arena.cli.main import arena as command_line
from arena.core.notes import Candidate, Notes
from arena.games import registry
from arena.games.kernel import Played
from arena.match import seat_notes
from arena.match.record import Record, RecordedStep, to_json
from arena.match.seat_notes import SeatNotes
from arena.rl import decision_rows, selfplay
from arena.rl.recorded_decisions import decisions_of
from arena.sdk import Bot, Decision, Line

SEED = bytes(range(32))


class Witness(Bot[Any]):
    """Plays and talks at random, and writes down what it was asked with."""

    talks = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, bytes, tuple[str, ...]]] = []

    def take_down(self, decision: Decision[Any]) -> Random:
        view = registry.package(decision.game).codec.encode(decision.view)
        self.asked.append((decision.seat, view, decision.legal))
        return decision.random

    def choose(self, decision: Decision[Any]) -> str:
        return self.take_down(decision).choice(decision.legal)

    def say(self, decision: Decision[Any]) -> Line:
        return Line(self.take_down(decision).choice(["", "not me"]))


def play(game: str, seats: int, number: int) -> tuple[Record, list[list[tuple[int, bytes, tuple[str, ...]]]]]:
    """Play a match between witnesses; return its record and by seat what each was asked with."""
    plan = selfplay.Selfplay(game, ("witness",) * seats, SEED, matches=100)
    bots = [Witness() for _ in range(seats)]
    record, _ = selfplay.play(plan, number, bots)
    steps = [RecordedStep(each.step, 1.5 if isinstance(each.step, Played) else None) for each in record.steps]
    record = replace(record, steps=tuple(steps))
    return record, [bots[bot].asked for bot in plan.seats(number)]


def check(game: str, numbers: range) -> None:
    counts = next(iter(registry.find(game).variants.values()))
    for number in numbers:
        record, asked = play(game, counts[number % len(counts)], number)
        rows = decisions_of(record)
        for seat, of_seat in enumerate(asked):
            assert [(row.seat, row.view, row.legal) for row in rows if row.seat == seat] == of_seat


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_view_is_the_one_that_the_seat_was_asked_with(game: str) -> None:
    check(game, range(1))


@pytest.mark.long
@pytest.mark.parametrize("game", registry.GAMES)
def test_each_view_of_a_hundred_matches_is_the_one_that_the_seat_was_asked_with(game: str) -> None:
    check(game, range(100))


def command(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command_line, [*map(str, arguments)])


def bulk(out: Path, *arguments: str) -> Result:
    return command("selfplay", "land_unter", "--bots", "greedy,hoarder,random", "--out", out, *arguments)


def test_the_same_seed_gives_the_same_file_on_one_process_and_on_two(tmp_path: Path) -> None:
    files = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for file, jobs in zip(files, ("1", "2"), strict=True):
        done = bulk(file, "--matches", "60", "--option", "rounds=1", "--jobs", jobs)
        assert done.exit_code == 0, done.output
    assert files[0].read_bytes() == files[1].read_bytes()


def test_bots_that_are_made_after_a_bulk_think_for_a_time_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(selfplay.ITERATIONS, raising=False)
    assert bulk(tmp_path / "bulk.parquet", "--matches", "1", "--jobs", "1").exit_code == 0
    assert selfplay.ITERATIONS not in os.environ


def test_another_seed_gives_another_file(tmp_path: Path) -> None:
    files = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for file, seed in zip(files, ("00" * 32, "01" * 32), strict=True):
        bulk(file, "--matches", "1", "--option", "rounds=1", "--jobs", "1", "--seed", seed)
    assert files[0].read_bytes() != files[1].read_bytes()


def test_a_data_set_of_records_has_the_rows_of_each(tmp_path: Path) -> None:
    folder, out = tmp_path / "records", tmp_path / "decisions.parquet"
    folder.mkdir()
    records = [play("lifeboats", 3, number)[0] for number in range(2)]
    for record in records:
        (folder / f"{record.match}.json").write_text(to_json(record))
    assert command("dataset", folder, "--out", out).exit_code == 0
    rows = list(decision_rows.read(out).rows())
    expected = [
        row for record in sorted(records, key=lambda each: each.match) for row in decisions_of(record)
    ]
    assert rows == expected


def test_an_archive_is_read_as_its_records_are(tmp_path: Path) -> None:
    file, out = tmp_path / "tournament.zip", tmp_path / "decisions.parquet"
    record, _ = play("land_unter", 3, 0)
    with ZipFile(file, "w") as archive:
        archive.writestr("records/0-0.json", to_json(record))
    assert command("dataset", file, "--out", out).exit_code == 0
    assert list(decision_rows.read(out).rows()) == decisions_of(record)


def test_what_was_said_stands_as_json(tmp_path: Path) -> None:
    rows = decisions_of(play("lifeboats", 3, 0)[0])
    said = [json.loads(row.action) for row in rows if not row.legal]
    assert {line["text"] for line in said} == {"", "not me"}


def test_the_card_says_what_makes_the_file_again(tmp_path: Path) -> None:
    out = tmp_path / "shard.parquet"
    bulk(out, "--matches", "1", "--option", "rounds=1", "--jobs", "1")
    card = (tmp_path / "shard.parquet.md").read_text(encoding="utf-8")
    assert "arena selfplay land_unter --bots greedy,hoarder,random --matches 1" in card
    assert f"| decisions | {pq.read_metadata(out).num_rows} |" in card


def test_a_view_is_read_as_bots_get_it(tmp_path: Path) -> None:
    out = tmp_path / "shard.parquet"
    bulk(out, "--matches", "1", "--option", "rounds=1", "--jobs", "1")
    data = decision_rows.read(out)
    row = next(data.rows())
    assert tuple(f"play {card}" for card in data.view(row).hand) == row.legal


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("selfplay", "go", "--bots", "greedy", "--out", "x.parquet"), "game 'go'"),
        (("selfplay", "land_unter", "--bots", "greedy", "--out", "x.parquet"), "seats 1"),
        (("selfplay", "lost_cities", "--bots", "greedy,nobody", "--out", "x.parquet"), "bot 'nobody'"),
        (("dataset", "nowhere.json", "--out", "x.parquet"), "nowhere.json"),
    ],
)
def test_what_cannot_be_done_is_refused_and_leaves_no_file(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in str(command(*arguments).exception)
    assert list(tmp_path.iterdir()) == []


def test_records_of_two_games_are_refused(tmp_path: Path) -> None:
    for game, seats in (("land_unter", 3), ("lost_cities", 2)):
        (tmp_path / f"{game}.json").write_text(to_json(play(game, seats, 0)[0]))
    done = command("dataset", tmp_path, "--out", tmp_path / "decisions.parquet")
    assert "is of lost_cities" in str(done.exception)
    assert not list(tmp_path.glob("*.parquet"))


def test_a_file_that_is_no_data_set_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("x")
    with pytest.raises(Exception, match="cannot be read"):
        decision_rows.read(tmp_path / "x.parquet")


NOTING = """
from arena.sdk import Bot, run


class Noting(Bot):
    name = "noting"

    def choose(self, decision):
        chosen = decision.legal[-1]
        decision.note({chosen: 0.5}, text="the last", legal=len(decision.legal))
        return chosen


if __name__ == "__main__":
    run(Noting())
"""


def test_what_bots_note_in_bulk_stands_beside_their_choices(tmp_path: Path) -> None:
    bot, out = tmp_path / "noting.py", tmp_path / "shard.parquet"
    bot.write_text(NOTING)
    done = command(
        *("selfplay", "land_unter", "--bots", f"{bot},greedy,random", "--out", out),
        *("--matches", "1", "--option", "rounds=1", "--jobs", "1"),
    )
    assert done.exit_code == 0, done.output
    for row in decision_rows.read(out).rows():
        expected = {
            "candidates": [[row.action, 0.5]],
            "numbers": {"legal": len(row.legal)},
            "text": "the last",
        }
        assert (None if row.notes is None else json.loads(row.notes)) == (
            expected if "noting" in row.bot else None
        )


def test_notes_beside_a_record_stand_in_its_rows(tmp_path: Path) -> None:
    folder, out = tmp_path / "records", tmp_path / "decisions.parquet"
    folder.mkdir()
    record, _ = play("land_unter", 3, 0)
    (folder / "m.json").write_text(to_json(record))
    first = next(row for row in decisions_of(record) if row.seat == 1)
    noted = Notes((Candidate(first.action, 1.0),), (("win", 0.25),), "so")
    line = seat_notes.to_json(SeatNotes(((first.step, noted),)))
    (folder / "m.notes.jsonl").write_text(f'{{"seat":1,{line[1:]}\n')
    assert command("dataset", folder, "--out", out).exit_code == 0
    (found,) = (row for row in decision_rows.read(out).rows() if row.notes)
    assert (found.step, found.notes) == (first.step, seat_notes.one_to_json(noted))


def test_notes_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(to_json(play("land_unter", 3, 0)[0]))
    (tmp_path / "m.notes.jsonl").write_text("[]\n")
    done = command("dataset", tmp_path / "m.json", "--out", tmp_path / "decisions.parquet")
    assert "m.notes.jsonl" in str(done.exception)

"""Archives: a tournament that can be checked by anybody, and what a check finds."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.competition.matches import blocks
from arena.core.errors import UsageError
from arena.ratings import csv_results
from arena.reports import decision_log, tournament_archive, tournaments
from arena.reports.archive_verification import DecisionMismatch, Verdict, check
from arena.storage import Store
from tests.competition.test_whole_matches import played
from tests.decided_matches import claim, new_tournament, person, store_result, upload

Files = dict[str, str]


def whole(store: Store, names: tuple[str, ...] = ("greedy", "random", "rusher"), **spec: object) -> bytes:
    """Play a tournament and give its archive."""
    number = new_tournament(store, "lost_cities", names, options={"hands": 1}, **spec).id
    play_whole(store)
    return written(store, number)


def play_whole(store: Store, most: int = 1_000_000) -> None:
    """Play so many blocks, with whole matches."""
    while most and (block := blocks.claim(store, "anna", 60.0)) is not None:
        most -= 1
        number = block.tournament_id
        for match in block.matches:
            store_result(store, number, match.set, match.match, match.attempt, played(block, match))
        blocks.finish(store, blocks.BlockKey(number, block.number), "anna")


def written(store: Store, number: int) -> bytes:
    target = io.BytesIO()
    tournament_archive.write(store, number, target)
    return target.getvalue()


def files_of(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def verdict(tmp_path: Path, files: Files) -> Verdict:
    path = tmp_path / "tournament.zip"
    with zipfile.ZipFile(path, "w") as target:
        for name, text in files.items():
            target.writestr(name, text)
    return check(path, lambda _done, _total: None)


def test_an_archive_is_right_and_says_what_was_checked(store: Store, tmp_path: Path) -> None:
    found = verdict(tmp_path, files_of(whole(store)))
    assert (found.matches, found.records) == (6, 6)


def test_an_archive_is_the_same_bytes_each_time(store: Store) -> None:
    first = whole(store)
    assert written(store, 1) == first


def test_its_results_can_be_fitted_by_anybody(store: Store) -> None:
    rows = files_of(whole(store))["results.csv"]
    assert csv_results.read(io.StringIO(rows)).matches == {"greedy@1": 4, "random@1": 4, "rusher@1": 4}


def test_records_are_not_in_it_before_the_tournament_is_over(store: Store, tmp_path: Path) -> None:
    number = new_tournament(store, "lost_cities", options={"hands": 1}).id
    block = claim(store)
    match = block.matches[0]
    store_result(store, number, match.set, match.match, match.attempt, played(block, match))
    files = files_of(written(store, number))
    assert set(files) == {"tournament.json", "results.csv"}
    with pytest.raises(DecisionMismatch, match="secret: is not published yet"):
        verdict(tmp_path, files)


def test_archive_of_a_finished_tournament_with_a_delay_says_when_it_can_be_checked(
    store: Store, tmp_path: Path
) -> None:
    with pytest.raises(DecisionMismatch, match="its organiser shows deals later: its page says when"):
        verdict(tmp_path, files_of(whole(store, delay_s=3600)))


OF_VERSION_1 = Path(__file__).parent / "archives" / "version-1.zip"
"""An SPRT of two uploads of one author, as it was exported while they shared deals; its records are not kept any more."""


def test_an_archive_of_version_1_is_checked_by_the_rules_it_was_played_by() -> None:
    found = check(OF_VERSION_1, lambda _done, _total: None)
    assert (found.matches, found.not_kept) == (80, 80)


SWISS_OF_PLAN_2 = Path(__file__).parent / "archives" / "swiss-of-plan-2.zip"


def test_a_swiss_of_plan_2_is_checked_by_the_pairing_of_its_time(tmp_path: Path) -> None:
    assert check(SWISS_OF_PLAN_2, lambda _done, _total: None).records == 30
    files = files_of(SWISS_OF_PLAN_2.read_bytes())
    document = json.loads(files["tournament.json"])
    assert document["plan"] == 2
    document["decisions"][1]["tables"].reverse()
    with pytest.raises(DecisionMismatch):
        verdict(tmp_path, {**files, "tournament.json": json.dumps(document)})


def test_a_swiss_of_now_is_checked_with_its_repeats(store: Store, tmp_path: Path) -> None:
    files = files_of(whole(store, ("greedy", "random", "rusher"), format="swiss", given={"rounds": 4}))
    assert json.loads(files["tournament.json"])["plan"] == 3
    assert verdict(tmp_path, files).matches == 8
    logged = decision_log.decision_rows(store, 1)
    assert [row.words.count("met before") for row in logged if row.kind == "drawn"] == [0, 0, 0, 1]
    rounds = tournaments.page(store, 1).rounds
    assert [[tie.repeated for tie in each.ties] for each in rounds] == [[False], [False], [False], [True]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "arena-tournament/4", "plan": 2, "rated": False}, "set 0 match 0: id is"),
        (
            {"format": "arena-tournament/4", "plan": 3, "rated": False},
            "plan 3: must be 2 in a document of arena-tournament/4",
        ),
    ],
)
def test_an_archive_is_not_checked_by_the_rules_of_another_version(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    files = files_of(OF_VERSION_1.read_bytes())
    document = json.loads(files["tournament.json"])
    document["bots"] = [{**bot, "group": 0} for bot in document["bots"]]
    files["tournament.json"] = json.dumps({**document, **change})
    with pytest.raises(DecisionMismatch, match=words):
        verdict(tmp_path, files)


def test_an_archive_says_which_bots_have_one_owner_and_not_who(store: Store, tmp_path: Path) -> None:
    ada, bob = person(store, "ada"), person(store, "bob")
    for owner, name in ((ada, "a1"), (bob, "b1"), (ada, "a2")):
        upload(store, owner, name)
    files = files_of(whole(store, ("greedy", "a1", "b1", "a2")))
    document = json.loads(files["tournament.json"])
    assert [bot["group"] for bot in document["bots"]] == [None, 0, 1, 0]
    assert "ada" not in files["tournament.json"]
    assert verdict(tmp_path, files).matches == 12


def edit(change: Callable[[dict], None]) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        document = json.loads(files["tournament.json"])
        change(document)
        files["tournament.json"] = json.dumps(document)

    return apply


def swap_records(files: Files) -> None:
    files["records/0-0.json"], files["records/1-0.json"] = (
        files["records/1-0.json"],
        files["records/0-0.json"],
    )


def change_move(files: Files) -> None:
    record = json.loads(files["records/2-1.json"])
    del record["steps"][7]
    files["records/2-1.json"] = json.dumps(record)


def lose(name: str) -> Callable[[Files], object]:
    return lambda files: files.pop(name)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit(lambda d: d.update(secret="00" * 32)), "secret: its SHA-256 is"),
        (edit(lambda d: d.update(cycles=2)), "set 0 match 0: id is"),
        (edit(lambda d: d["decisions"][0].update(cycles=2)), "matches: 6 stand there, 12 were planned"),
        (edit(lambda d: d["decisions"][1].update(why="because")), "decisions: 1 is"),
        (edit(lambda d: d["matches"].pop(3)), "set 1 match 1 is missing"),
        (edit(lambda d: d["bots"].reverse()), "set 0 match 0: id is"),
        (edit(lambda d: d["matches"][2].update(seats=[0, 1])), "set 1 match 0: seats is"),
        (edit(lambda d: d["matches"][2]["places"].reverse()), "set 1 match 0: the result"),
        (edit(lambda d: d["matches"][4].update(scores=[99, 0])), "set 2 match 0: the result"),
        (edit(lambda d: d["table"][0].update(elo=2000.0)), "table: row 0 must be"),
        (edit(lambda d: d["table"].pop()), "table: row 2 must be"),
        (edit(lambda d: d.update(input_sha256="00")), "input_sha256: the results add up to"),
        (edit(lambda d: d.pop("seats")), "tournament.json: KeyError('seats')"),
        (edit(lambda d: d.update(format="arena-tournament/9")), "format 'arena-tournament/9'"),
        (edit(lambda d: d.update(game="chess")), "chess"),
        (swap_records, "records/0-0.json: record of match"),
        (change_move, "records/2-1.json: step 7"),
        (lose("records/1-1.json"), "records/1-1.json: is not in the archive"),
        (lose("tournament.json"), "tournament.json: is not in the archive"),
        (lambda files: files.update({"records/9-9.json": "{}"}), "records/9-9.json: no file of that name"),
        (lambda files: files.update({"results.csv": "set,bots,places\n"}), "results.csv: is not what"),
    ],
)
def test_whatever_is_changed_is_found(
    store: Store, tmp_path: Path, change: Callable[[Files], object], words: str
) -> None:
    files = files_of(whole(store))
    change(files)
    with pytest.raises(UsageError) as found:
        verdict(tmp_path, files)
    assert words in str(found.value)


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_text("hello")
    with pytest.raises(DecisionMismatch, match="must be a zip"):
        check(tmp_path / "no.zip", lambda _done, _total: None)

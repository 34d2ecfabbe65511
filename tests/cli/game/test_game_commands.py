"""`arena game`: a game that there is, under another name, and all that is missing of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.shipped_files import ROOT
from arena.games import registry
from tests.cli.running import run_apart
from tests.parts.arena_process import clean_environment

FOLDER = "arena-game-tichu"
MODULE = f"{FOLDER}/arena_game_tichu"


def arena(folder: Path, *arguments: str, status: int = 0) -> str:
    """Run `arena game` in a folder, in a process of its own, since it makes games known; what it printed."""
    done = run_apart("game", *arguments, within=folder, environment=clean_environment())
    assert done.code == status, done.out + done.error
    return done.out + done.error


def test_a_game_begins_small_unless_it_is_like_another_one(tmp_path: Path) -> None:
    arena(tmp_path, "new", "tichu")
    assert arena(tmp_path, "check", FOLDER, status=1).splitlines() == [
        "tichu: 3 missing",
        "  docs/rules.md: is still that of the skeleton",
        "  board/picture.svg: is still that of the skeleton",
        "  docs/board.png: is still that of the skeleton",
    ]
    files = [path for path in (tmp_path / FOLDER).rglob("*") if path.suffix == ".py"]
    assert sum(len(path.read_text().splitlines()) for path in files) < 600
    assert not [path for path in files if re.search("matching.?pennies", path.read_text(), re.IGNORECASE)]


def test_messages_begin_anew_without_the_numbers_of_the_copied_game(tmp_path: Path) -> None:
    arena(tmp_path, "new", "tichu")
    module = tmp_path / MODULE
    view = module / "view.py"
    view.write_text(
        view.read_text().replace("    round: int\n", "    turns: int\n").replace("state.round, ", "")
    )
    view.write_text(
        view.read_text().replace("    return TichuView(\n", "    return TichuView(\n        state.round,\n")
    )
    (module / "tichu_pb2.py").unlink()
    said = arena(tmp_path, "proto", FOLDER, status=2)
    assert "tichu_pb2.py is missing; --anew writes both files from the view alone" in said
    arena(tmp_path, "proto", FOLDER, "--anew")
    proto = (module / "tichu.proto").read_text()
    assert "sint32 turns = 1;" in proto
    assert "reserved" not in proto
    (module / "tichu_pb2.py").unlink()
    (module / "tichu.proto").unlink()
    arena(tmp_path, "proto", FOLDER)
    assert (module / "tichu.proto").read_text() == proto


def test_an_installed_game_is_found_by_its_name(tmp_path: Path) -> None:
    arena(tmp_path, "new", "tichu")
    uv = shutil.which("uv", path=str(ROOT / ".tools" / "bin"))
    assert uv is not None
    environment = tmp_path / "environment"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    (packages / "arena.pth").write_text(f"{ROOT}\n{Path(pytest.__file__).parents[1]}\n")
    command: list[str | Path] = [
        environment / "bin" / "python",
        "-P",
        "-c",
        "from arena.cli.main import main; main()",
        "game",
    ]
    for arguments in (["install", FOLDER], ["proto", "tichu"]):
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert "tichu.proto is as the view has it" in done.stdout


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Begin a game like Land Unter."""
    folder = tmp_path_factory.mktemp("begun")
    arena(folder, "new", "tichu", "--like", "land_unter", "--title", "Tichu")
    return folder


@pytest.fixture
def tichu(begun: Path, tmp_path: Path) -> Path:
    """Copy it, to be changed."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_new_game_is_whole_but_for_its_pictures(tichu: Path) -> None:
    assert arena(tichu, "check", FOLDER, status=1).splitlines() == [
        "tichu: 4 missing",
        "  docs/rules.md: is still that of land_unter",
        "  board/picture.svg: is still that of land_unter",
        "  docs/board.png: is still that of land_unter",
        "  docs/board.webp: is still that of land_unter",
    ]


def test_a_new_game_has_the_other_s_name_nowhere_but_in_its_rules(tichu: Path) -> None:
    for path in (tichu / MODULE).rglob("*.py"):
        text = path.read_text()
        assert "land_unter" not in text, path
        assert "LandUnter" not in text, path


def test_what_is_taken_away_is_named_by_file_and_key(tichu: Path) -> None:
    module = tichu / MODULE
    (module / "docs" / "rules.es.md").unlink()
    (module / "sampler.py").unlink()
    phrases = module / "board" / "phrases.py"
    phrases.write_text(phrases.read_text().replace('verbs={"play"', 'verbs={"lay"'))
    styles = module / "house_bots" / "__init__.py"
    styles.write_text(styles.read_text().replace('"counter": mark', '"other": mark'))
    traits = module / "traits.py"
    traits.write_text(traits.read_text().replace('id="early"', 'id="late"'))
    golden = next((module / "checks" / "golden").glob("*-3.json"))
    golden.unlink()
    found = json.loads(arena(tichu, "check", FOLDER, "--json", status=1))["tichu"]
    files = {(gap["file"], gap["text"].partition(":")[0]) for gap in found}
    assert files >= {
        ("docs/rules.es.md", "is missing"),
        ("sampler.py", "is missing"),
        ("board/phrases.py", "verbs"),
        ("house_bots/__init__.py", "STYLES"),
        ("traits.py", "TRAITS"),
        (f"checks/golden/{golden.name}", "is missing"),
    }


def test_what_a_seat_may_not_see_is_found_where_it_is_told(tichu: Path) -> None:
    rules = tichu / MODULE / "rules.py"
    told = rules.read_text().replace(
        "        if not isinstance(step, Chance):\n",
        "        if seat is not None or not isinstance(step, Chance):\n",
    )
    assert told != rules.read_text()
    rules.write_text(told)
    assert "rules.py: view, legal or seen tells seat" in arena(tichu, "check", FOLDER, status=1)


@pytest.mark.parametrize("game", registry.GAMES)
def test_nothing_is_missing_of_any_game_of_the_arena(game: str, tmp_path: Path) -> None:
    assert arena(tmp_path, "check", game) == f"{game}: nothing is missing\n"


NARRATION = """
from arena.core.translatable import say_many

def narrate(happening):
    return [say_many("{n} card", "{n} cards", 2)]
"""


@pytest.mark.parametrize(
    ("file", "before", "after", "found"),
    [
        ("board/narration.py", None, NARRATION, "board/narration.py: KeyError: 'n'"),
        ("encoding.py", '"hand": ', '"hand": 1 + ', "encoding.py: PARTS: add up to "),
        (
            "board/phrases.py",
            '"play _"',
            '"lay _"',
            "board/phrases.py: actions: 'play _' has no words (such as",
        ),
    ],
)
def test_what_fails_on_a_page_or_for_a_learner_is_found_once(
    tichu: Path, file: str, before: str | None, after: str, found: str
) -> None:
    path = tichu / MODULE / file
    text = after if before is None else path.read_text().replace(before, after, 1)
    assert before is None or text != path.read_text()
    path.write_text(text)
    lines = arena(tichu, "check", FOLDER, status=1).splitlines()
    assert len([line for line in lines if line.strip().startswith(found)]) == 1


def test_golden_matches_are_written_again(tichu: Path) -> None:
    folder = tichu / MODULE / "checks" / "golden"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.unlink()
    arena(tichu, "golden", FOLDER)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_picture_is_made_of_the_pieces_of_the_board(tichu: Path) -> None:
    arena(tichu, "picture", FOLDER)
    picture = (tichu / MODULE / "board" / "picture.svg").read_text()
    assert picture.startswith('<svg class="picture"')
    assert picture.count('class="paper"') == 3
    assert "picture.svg" not in arena(tichu, "check", FOLDER, status=1)


@pytest.mark.parametrize("name", ["land_unter", "Tichu", "tichu!"])
def test_a_name_that_is_taken_or_none_is_refused(tmp_path: Path, name: str) -> None:
    said = arena(tmp_path, "new", name, "--like", "land_unter", status=2)
    assert f"name {name!r}: must be lower-case words" in said


def test_messages_follow_from_the_fields_of_the_view(tichu: Path) -> None:
    module = tichu / MODULE
    view = module / "view.py"
    field = '    bids: tuple[tuple[int, ...], ...]\n    "By seat."\n\n'
    text = view.read_text().replace("    trick: int\n", field).replace("trick=len(state.tricks)", "bids=()")
    view.write_text(text)
    assert "tichu.proto: TichuView.bids: is not as the view has it" in arena(tichu, "check", FOLDER, status=1)
    arena(tichu, "proto", FOLDER)
    proto = (module / "tichu.proto").read_text()
    assert '  reserved 3;\n  reserved "trick";\n' in proto
    assert "  // By seat.\n  repeated TichuBids bids = 10;\n" in proto
    assert "message TichuBids {\n  // In order.\n  repeated sint32 items = 1;\n}\n" in proto
    program = (
        "from arena_game_tichu.tichu_pb2 import TichuView;"
        "print(sorted(each.name for each in TichuView.DESCRIPTOR.fields))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tichu / FOLDER, capture_output=True, text=True, check=True
    )
    assert "bids" in ran.stdout
    assert "'trick'" not in ran.stdout


def test_messages_that_are_as_the_view_has_them_stay(tichu: Path) -> None:
    files = [tichu / MODULE / "tichu.proto", tichu / MODULE / "tichu_pb2.py"]
    before = [path.read_bytes() for path in files]
    arena(tichu, "proto", FOLDER)
    assert [path.read_bytes() for path in files] == before

from __future__ import annotations

import pytest

from arena.match.record import from_json
from arena.match.verification import verify
from tests.games.playing import GAMES
from tests.golden.matches import FOLDER, MATCHES, write


@pytest.mark.parametrize("name", MATCHES)
def test_golden_match_is_played_as_it_was(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text() == write(name), "if this is meant: python -m tests.golden"


@pytest.mark.parametrize("name", MATCHES)
def test_golden_match_is_right(name: str) -> None:
    written = from_json((FOLDER / f"{name}.json").read_text())
    assert verify(written, GAMES[written.game]) is None


def test_every_golden_file_is_a_match_that_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(MATCHES)

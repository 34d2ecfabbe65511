from __future__ import annotations

import pytest

from arena.devtools.golden_matches import play_golden
from arena.match.record import from_json
from arena.match.verification import verify
from tests.games.playing import GAMES
from tests.golden.matches import FOLDERS, MATCHES, path


@pytest.mark.parametrize("name", MATCHES)
def test_golden_match_is_played_as_it_was(name: str) -> None:
    assert path(name).read_text() == play_golden(MATCHES[name]), "if this is meant: make golden"


@pytest.mark.parametrize("name", MATCHES)
def test_golden_match_is_right(name: str) -> None:
    written = from_json(path(name).read_text())
    assert verify(written, GAMES[written.game]) is None


def test_every_golden_file_is_a_match_that_is_played() -> None:
    assert {file.stem for folder in FOLDERS.values() for file in folder.glob("*.json")} == set(MATCHES)

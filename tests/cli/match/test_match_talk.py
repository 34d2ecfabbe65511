"""`arena match lifeboats` with bots that talk, and `arena verify` of what they said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.match.test_match_command import arena, played, records
from tests.cli.running import run

TALKS = """
from arena.games.kernel import Claim, Line
from arena.sdk import Bot, run

class Parrot(Bot):
    talks = True

    def choose(self, decision):
        return decision.legal[0]

    def say(self, decision):
        return Line({text}, (Claim("threat", decision.seat, "K", "leak"),))

run(Parrot())
"""


@pytest.fixture(scope="module", params=["standard", "stick"])
def out(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("talk")
    arguments = ("lifeboats", "keeper", "liar", "diplomat", "greedy", "--variant", request.param)
    played(*arguments, "--option", "dealt=1", "--records", "out", cwd=folder)
    return folder


def test_records_of_talk_verify(out: Path) -> None:
    for record in records(out / "out").values():
        assert sum("say" in step for step in record["steps"]) > 10
        assert sum(seat.get("talks", False) for seat in record["seats"]) == 3
    done = run("verify", "out", within=out)
    assert done.code == 0, done.out
    assert done.out.count(": ok\n") == 4


def test_changed_line_of_talk_is_reported(out: Path, tmp_path: Path) -> None:
    name, record = next(iter(records(out / "out").items()))
    at = next(at for at, step in enumerate(record["steps"]) if "say" in step)
    record["steps"][at]["say"]["claims"][0]["vote"] = "G"
    (tmp_path / name).write_text(json.dumps(record))
    done = run("verify", name, within=tmp_path)
    assert done.code == 1
    assert f"step {at}" in done.out
    assert "claim vote 'G': must be one of W, O, Y, R, K" in done.out


def test_own_bot_that_talks_is_heard(tmp_path: Path) -> None:
    (tmp_path / "parrot.py").write_text(TALKS.format(text="'hello'"))
    played(
        *("lifeboats", "parrot.py", "greedy", "random", "--option", "dealt=1", "--option", "talk=1"),
        *("--records", "out"),
        cwd=tmp_path,
    )
    for record in records(tmp_path / "out").values():
        assert {step["say"]["text"] for step in record["steps"] if "say" in step} == {"hello"}
    assert run("verify", "out", within=tmp_path).code == 0


def test_line_that_is_too_long_is_told_to_its_author(tmp_path: Path) -> None:
    (tmp_path / "parrot.py").write_text(TALKS.format(text="'x' * 300"))
    done = arena("match", "lifeboats", "parrot.py", "greedy", "random", "--option", "dealt=1", cwd=tmp_path)
    assert "text of 300 bytes: at most 280 bytes of UTF-8 are allowed" in done.out + done.error

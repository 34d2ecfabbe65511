"""`arena verify` names the first thing that is wrong with a record, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli.match.verify_command import command
from arena.core.errors import UsageError
from tests.cli.match.test_match_command import played, records


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A record that is right."""
    folder = tmp_path_factory.mktemp("verified")
    document = played(
        "lost_cities", "greedy", "random", "--option", "hands=1", "--records", "out", cwd=folder
    )
    assert [match["fault"] for match in document["matches"]] == [None, None]
    return min(records(folder / "out").items())[1]


def verify(tmp_path: Path, record: dict[str, Any], *arguments: str) -> Result:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record))
    return CliRunner().invoke(command, [str(file), *arguments])


def test_record_that_is_right_is_ok(tmp_path: Path, record: dict[str, Any]) -> None:
    result = verify(tmp_path, record)
    assert (result.exit_code, result.output) == (0, f"{tmp_path / 'match.json'}: ok\n")


def test_changed_action_is_named_with_its_step(tmp_path: Path, record: dict[str, Any]) -> None:
    steps = [dict(step) for step in record["steps"]]
    steps[3]["action"] = "draw deck"
    result = verify(tmp_path, {**record, "steps": steps})
    assert result.exit_code == 1
    assert "match.json: step 3: " in result.output
    assert "'draw deck'" in result.output


def test_changed_score_is_named(tmp_path: Path, record: dict[str, Any]) -> None:
    result = verify(tmp_path, {**record, "result": {**record["result"], "scores": [999, 0]}})
    assert result.exit_code == 1
    assert "scores" in result.output


def test_json_tells_programs_the_same(tmp_path: Path, record: dict[str, Any]) -> None:
    steps = [dict(step) for step in record["steps"]]
    steps[3]["action"] = "draw deck"
    (found,) = json.loads(verify(tmp_path, {**record, "steps": steps}, "--json").output)
    assert (found["ok"], found["step"]) == (False, 3)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "arena-match/2"}', "\x00"])
def test_file_that_is_no_record_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "match.json").write_text(text)
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.startswith(f"{tmp_path / 'match.json'}: ")
    assert result.output.count("\n") == 1


def test_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_bytes(b"{\xe9")
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert (result.exit_code, "it is not text in UTF-8: byte 0xe9 in line 1" in result.output) == (1, True)


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_path_without_a_record_is_a_usage_error(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(command, [path])
    assert isinstance(result.exception, UsageError)

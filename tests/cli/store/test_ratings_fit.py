"""`arena ratings fit`: the fit on results of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli.main import arena

ROWS = "set,bots,places\ns1,a b c,1 2 2\ns1,b c a,2 1 3\ns2,a b,1 1\n,b c,1 2\n,c a,1 2\n"


def fit(tmp_path: Path, text: str, *options: str) -> Result:
    sheet = tmp_path / "results.csv"
    sheet.write_text(text)
    return CliRunner().invoke(arena, ["ratings", "fit", str(sheet), *options])


def test_the_json_is_a_list_of_bots_best_first(tmp_path: Path) -> None:
    rows = json.loads(fit(tmp_path, ROWS, "--json").output)
    assert [list(row) for row in rows] == [["bot", "elo", "error", "matches", "rank_low", "rank_high"]] * 3
    assert [row["bot"] for row in rows] == ["c", "b", "a"]
    assert [row["matches"] for row in rows] == [4, 4, 4]


def test_the_mean_is_as_asked(tmp_path: Path) -> None:
    rows = json.loads(fit(tmp_path, ROWS, "--json", "--mean", "0").output)
    assert sum(row["elo"] for row in rows) == pytest.approx(0, abs=0.2)


def test_the_table_shows_error_bars_and_rank_ranges(tmp_path: Path) -> None:
    printed = fit(tmp_path, ROWS).output
    assert "±" in printed
    assert "1–3" in printed


def test_without_a_prior_bots_that_have_no_maximum_are_named(tmp_path: Path) -> None:
    refused = fit(tmp_path, "set,bots,places\n,a b,1 2\n,a b,2 1\n,a c,1 2\n", "--prior", "0")
    assert refused.exit_code != 0
    assert "no maximum exists for c," in str(refused.exception)


@pytest.mark.parametrize("prior", ["-1", "nan", "1e-20", "inf"])
def test_a_prior_that_cannot_be_is_refused(tmp_path: Path, prior: str) -> None:
    said = str(fit(tmp_path, ROWS, "--prior", prior).exception)
    assert said == f"--prior {float(prior)}: must be 0, or a number of draws from 0.001 to 1e+06"


def test_a_spreadsheets_byte_order_mark_is_no_part_of_the_header(tmp_path: Path) -> None:
    assert fit(tmp_path, "\ufeff" + ROWS).exit_code == 0


def test_a_wrong_line_is_named_with_its_file(tmp_path: Path) -> None:
    refused = fit(tmp_path, "set,bots,places\n,a b,1\n")
    assert "results.csv, line 2, places '1'" in str(refused.exception)

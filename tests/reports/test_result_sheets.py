"""Results and standings as CSV: what they say is what counts, and a fit of it is the table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle, plans
from arena.competition.matches import rating_inputs
from arena.ratings import csv_results
from arena.ratings.elo_table import rate
from arena.ratings.rating_data import of
from arena.reports import decision_audit, tournaments
from arena.reports.archive_verification import DecisionMismatch
from arena.reports.match_lists import result_sheets
from arena.storage import Store
from tests.competition.test_unattended import new_cup, play_without
from tests.decided_matches import NAMES, alphabetical, new_tournament, person, play_on, upload
from tests.reports.test_tournament_archive import files_of, verdict, written


def table_of(store: Store, number: int) -> dict[str, float]:
    page = tournaments.page(store, number)
    return {f"{row.bot}@{row.version}": row.elo for row in page.standings if row.elo is not None}


def fitted(text: str) -> dict[str, float]:
    """Fit a sheet as `arena ratings fit` does, with the mean of the arena's tables."""
    sheet = csv_results.read(io.StringIO(text))
    return {row.name: row.elo for row in rate(of(sheet.totals, sheet.sets), anchor=rating_inputs.ANCHOR).rows}


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(("game", "seats"), [("lost_cities", 2), ("land_unter", 3), ("land_unter", 5)])
def test_a_fit_of_the_results_is_the_table_after_an_annulment(
    store: Store, tmp_path: Path, game: str, seats: int
) -> None:
    names = NAMES[: seats + 1]
    number = new_cup(store, *names, game=game, seats=seats, cycles=1, options={})
    play_without(store, most=2 * seats + 1)
    lifecycle.withdraw(store, number, "greedy", OPERATOR, annul=True)
    play_without(store)
    files = files_of(written(store, number))
    assert fitted(files["results.csv"]) == table_of(store, number)
    assert "greedy@1" not in fitted(files["results.csv"])
    marked = [row for row in rows(files["results.csv"]) if row["annulled"]]
    assert marked
    assert all("greedy@1" in row["annulled"].split() for row in marked)
    verdict(tmp_path, files)
    files["tournament.json"] = files["tournament.json"].replace(',"annulled":[', ',"annulled":[9,', 1)
    with pytest.raises(DecisionMismatch, match="annulled"):
        verdict(tmp_path, files)


def test_a_fit_of_the_results_is_the_table_with_bots_that_never_came(store: Store) -> None:
    number = new_cup(
        store, "ghost1", "greedy", "ghost2", "random", "rusher", game="land_unter", seats=3, options={}
    )
    play_without(store, "ghost1", "ghost2")
    sheet = result_sheets.of_results(store, number)
    assert fitted(sheet) == table_of(store, number)
    both = [row for row in rows(sheet) if row["end"] == "absent"]
    assert both
    assert {row["forfeits"] for row in both} == {row["absent"] for row in both}


def test_a_fit_of_the_results_is_the_table_with_faults_at_more_seats(store: Store) -> None:
    number = new_cup(
        store, "ghost1", "greedy", "random", "rusher", game="land_unter", seats=4, options={}, cycles=3
    )
    play_without(store, "ghost1", most=5)
    play_without(store)
    assert fitted(result_sheets.of_results(store, number)) == table_of(store, number)


@pytest.mark.parametrize("seats", [2, 4])
def test_half_a_set_counts_for_no_bot(store: Store, tmp_path: Path, seats: int) -> None:
    game = "lost_cities" if seats == 2 else "land_unter"
    number = new_cup(store, *NAMES[: seats + 1], game=game, seats=seats, options={}, cycles=2)
    play_without(store, most=seats + 1)
    before = tournaments.page(store, number)
    assert sum(row.matches for row in before.standings) == seats * (seats + 1)
    with store.read() as session:
        started = plans.load(store, session, number).plan.schedule[1]
    lifecycle.withdraw(store, number, before.entries[started[0]].bot, OPERATOR)
    page = tournaments.page(store, number)
    assert sum(row.matches for row in page.standings) == seats * seats
    play_without(store)
    page = tournaments.page(store, number)
    sets = {row["set"] for row in rows(result_sheets.of_results(store, number)) if not row["annulled"]}
    assert sum(row.matches for row in page.standings) == len(sets) * seats * seats
    assert "1" not in sets
    files = files_of(written(store, number))
    assert fitted(files["results.csv"]) == table_of(store, number)
    verdict(tmp_path, files)


@pytest.mark.parametrize("form", ["swiss", "knockout", "race"])
@pytest.mark.parametrize("annul", [False, True])
def test_decisions_are_made_again_after_a_bot_has_left(
    store: Store, tmp_path: Path, form: str, *, annul: bool
) -> None:
    given = {"rounds": 10} if form == "race" else {}
    number = new_cup(store, *NAMES[:5], format=form, given=given)
    play_without(store, most=3)
    lifecycle.withdraw(store, number, "random", OPERATOR, annul=annul)
    play_without(store)
    found = decision_audit.check(store, number)
    assert found is not None
    assert (found.untold, found.wrong) == (False, None)
    assert found.own == 1
    verdict(tmp_path, files_of(written(store, number)))


def test_the_results_have_scores_dates_ends_and_groups(store: Store) -> None:
    ada, bob = person(store, "ada"), person(store, "bob")
    for owner, name in ((ada, "a1"), (bob, "b1"), (ada, "a2")):
        upload(store, owner, name)
    number = new_tournament(store, names=("a1", "b1", "a2", "random"), rated=False).id
    play_on(store)
    found = rows(result_sheets.of_results(store, number))
    assert len(found) == 12
    group = {"a1@1": "0", "b1@1": "1", "a2@1": "0", "random@1": "-"}
    for row in found:
        assert row["groups"].split() == [group[bot] for bot in row["bots"].split()]
        assert len(row["scores"].split()) == 2
        assert row["end"] == "completed"
        assert row["date"].endswith("+00:00")
    owners = {row["bot"]: row["owner"] for row in rows(result_sheets.of_standings(store, number))}
    assert owners == {"a1": "ada", "a2": "ada", "b1": "bob", "random": ""}


def test_the_standings_are_those_of_the_page(store: Store) -> None:
    number = new_tournament(store).id
    play_on(store, alphabetical)
    found = rows(result_sheets.of_standings(store, number))
    page = tournaments.page(store, number)
    assert [(row["rank"], row["bot"], float(row["elo"]), float(row["points"])) for row in found] == [
        (str(row.rank), row.bot, row.elo, row.points) for row in page.standings
    ]

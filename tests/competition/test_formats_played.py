"""Formats and stop rules, decided by what is in the store, and decided again from an archive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle, plans
from arena.core.errors import UsageError
from arena.reports import tournaments
from arena.reports.archive_verification import DecisionMismatch
from arena.scheduling import stop_rules
from arena.storage import Store
from tests.decided_matches import NAMES, alphabetical, new_tournament, play_on
from tests.reports.test_tournament_archive import files_of, play_whole, verdict, whole, written

HANDS = {"hands": 1}


def test_a_gauntlet_lets_the_first_bot_meet_all_others(store: Store) -> None:
    new_tournament(store, names=NAMES[:5], format="gauntlet", cycles=2)
    play_on(store)
    page = tournaments.page(store, 1)
    assert {row.bot: row.matches for row in page.standings}[NAMES[0]] == 16
    assert all(row.matches == 4 for row in page.standings if row.bot != NAMES[0])


def test_a_round_robin_may_be_shorter_than_everybody_against_everybody(store: Store) -> None:
    new_tournament(store, "land_unter", names=NAMES, seats=4, given={"sets_each": 2}, cycles=2)
    play_on(store)
    assert {row.matches for row in tournaments.page(store, 1).standings} == {16}


def test_a_swiss_plays_its_rounds_and_ends(store: Store) -> None:
    new_tournament(store, names=NAMES, format="swiss", given={"rounds": 3})
    assert tournaments.row(store, 1).matches_total == 6
    play_on(store)
    page = tournaments.page(store, 1)
    assert (page.state, page.matches_done) == ("finished", 18)
    assert page.standings[0].bot == min(NAMES)


def test_a_swiss_can_be_extended(store: Store) -> None:
    new_tournament(store, names=NAMES, format="swiss", given={"rounds": 2})
    lifecycle.extend(store, 1, 1, OPERATOR)
    play_on(store)
    assert tournaments.row(store, 1).matches_done == 18


def test_a_knockout_is_won_by_who_wins_all(store: Store) -> None:
    new_tournament(store, names=NAMES[:5], format="knockout", given={"sets": 2})
    play_on(store)
    page = tournaments.page(store, 1)
    assert page.state == "finished"
    assert {row.bot: row.losses for row in page.standings}[min(NAMES[:5])] == 0
    assert page.matches_done == 4 * 2 * 2


def test_a_race_is_won_by_who_is_left(store: Store) -> None:
    new_tournament(store, names=NAMES[:5], format="race")
    play_on(store)
    page = tournaments.page(store, 1)
    assert page.state == "finished"
    assert page.champion is not None
    assert page.entries[page.champion].bot == min(NAMES[:5])
    assert page.eliminations[-1].remaining == 1


def test_a_race_can_be_extended(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], format="race", given={"rounds": 2})
    lifecycle.extend(store, 1, 1, OPERATOR)
    play_on(store)
    assert tournaments.row(store, 1).matches_done == 6


def test_a_tournament_stops_when_the_best_are_separated(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], cycles=1000, stop=stop_rules.Separated(1))
    play_on(store, lambda match: alphabetical(match) if match.set % 5 else alphabetical(match)[::-1])
    page = tournaments.page(store, 1)
    assert page.state == "finished"
    assert page.matches_done < 1000
    assert page.standings[0].bot == "greedy" or page.standings[0].bot == min(NAMES[:3])


def test_a_test_between_two_versions_ends_with_its_claim(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=5000, stop=stop_rules.parse("sprt:0,50"))
    play_on(store, lambda match: alphabetical(match) if match.set % 3 else alphabetical(match)[::-1])
    with store.read() as session:
        over = plans.load(store, session, 1).course.over
    assert over is not None
    assert "elo1 = 50 is accepted" in over.why


def test_a_tournament_that_is_never_certain_ends_after_all_its_cycles(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=64, stop=stop_rules.Separated(1))
    play_on(store, lambda _: [1, 1])
    with store.read() as session:
        over = plans.load(store, session, 1).course.over
    assert over is not None
    assert over.why == "after all 64 cycles nothing is certain"


@pytest.mark.parametrize(
    "spec",
    [
        {"format": "gauntlet"},
        {"format": "swiss", "given": {"rounds": 2}},
        {"format": "knockout"},
        {"format": "race", "given": {"rounds": 12}},
        {"cycles": 40, "stop": stop_rules.parse("separated:1")},
    ],
    ids=lambda spec: str(spec.get("format", "stop")),
)
def test_the_archive_of_every_format_can_be_checked(
    store: Store, tmp_path: Path, spec: dict[str, object]
) -> None:
    names = ("greedy", "random", "rusher", "counter") if "format" in spec else ("greedy", "random")
    found = verdict(tmp_path, files_of(whole(store, names, **spec)))
    assert found.matches == tournaments.row(store, 1).matches_done > 0


def test_a_round_that_does_not_follow_from_the_results_is_found(store: Store, tmp_path: Path) -> None:
    files = files_of(
        whole(store, ("greedy", "random", "rusher", "counter"), format="swiss", given={"rounds": 2})
    )
    document = json.loads(files["tournament.json"])
    document["decisions"][1]["basis"] = "00" * 32
    files["tournament.json"] = json.dumps(document)
    with pytest.raises(DecisionMismatch, match="decisions: 1 is"):
        verdict(tmp_path, files)


def test_an_archive_with_a_departure_can_be_checked(store: Store, tmp_path: Path) -> None:
    for annul in (False, True):
        names = ("greedy", "random", "rusher", "counter")
        number = new_tournament(store, "lost_cities", names, options=HANDS, cycles=6).id
        play_whole(store, 2)
        lifecycle.withdraw(store, number, "random", OPERATOR, annul=annul)
        play_whole(store)
        assert tournaments.row(store, number).state == "finished"
        verdict(tmp_path, files_of(written(store, number)))


def test_an_archive_of_what_was_cancelled_can_be_checked(store: Store, tmp_path: Path) -> None:
    number = new_tournament(store, "lost_cities", NAMES[:3], options=HANDS, cycles=6).id
    play_whole(store, 1)
    lifecycle.cancel(store, number, OPERATOR)
    assert verdict(tmp_path, files_of(written(store, number))).matches == 16


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"format": "league"}, "format 'league': must be one of round-robin, gauntlet, swiss, knockout"),
        ({"format": "ladder"}, "format 'ladder': must be one of round-robin"),
        ({"format": "swiss", "cycles": 2}, "cycles 2: a swiss has none"),
        ({"given": {"rounds": 3}}, "rounds 3: only a swiss or a race has them"),
        ({"format": "gauntlet", "given": {"sets_each": 3}}, "sets_each 3: only a round-robin has them"),
        ({"format": "swiss", "given": {"sets": 3}}, "sets 3: only a knockout has them"),
        ({"format": "knockout", "given": {"sets": 0}}, "sets 0: must be 1 to"),
        (
            {"format": "knockout", "stop": stop_rules.Separated(1)},
            "stop separated:1: a knockout ends by itself",
        ),
        ({"stop": stop_rules.Separated(3)}, "stop separated:3: 3 bots are entered, so the best 1 to 2"),
        ({"stop": stop_rules.parse("sprt:0,10")}, "compares two versions, but 3 are entered"),
        ({"priority": 0}, "priority 0: must be 1 to 100"),
        ({"begin": "later"}, "begin 'later': must be one of now, open, created"),
    ],
)
def test_what_cannot_be_is_refused_by_name(store: Store, spec: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as found:
        new_tournament(store, names=NAMES[:3], **spec)
    assert words in str(found.value)
    assert tournaments.listing(store) == ()


@pytest.mark.parametrize(
    "text", ["sprt", "sprt:1", "sprt:0,nan", "sprt:0,1,2", "separated:", "separated:a", "x:1"]
)
def test_a_stop_rule_that_cannot_be_read_says_what_could(text: str) -> None:
    with pytest.raises(UsageError, match="must be separated:K or sprt:ELO0,ELO1"):
        stop_rules.parse(text)


def test_formats_of_two_seats_are_refused_at_larger_tables(store: Store) -> None:
    with pytest.raises(UsageError, match="format 'swiss': is for tables of 2 seats, not 3"):
        new_tournament(store, "land_unter", names=NAMES[:4], seats=3, format="swiss")


@pytest.mark.parametrize("entries", [4, 5, 6])
def test_a_knockout_is_in_the_order_of_its_bracket_everywhere(
    store: Store, tmp_path: Path, entries: int
) -> None:
    number = new_tournament(
        store, "lost_cities", ("greedy", "random", "rusher", "counter", "hoarder", "cautious")[:entries],
        options=HANDS, format="knockout",
    ).id  # fmt: skip
    play_whole(store)
    page = tournaments.page(store, number)
    # Who went out, by round, from the ties alone.
    out = [tie.entries[0] + tie.entries[1] - (tie.winner or 0) for each in page.rounds for tie in each.ties]
    assert [row.entry for row in page.standings][:2] == [page.champion, out[-1]]
    assert {row.entry for row in page.standings[2:4]} == set(out[-3:-1])
    assert [row.rank for row in page.standings] == [1, 2, 3, 3, 5, 5][:entries]
    assert [(row.entry, row.low, row.high) for row in page.places][:2] == [
        (page.champion, 1, 1),
        (out[-1], 2, 2),
    ]
    assert page.winners == (page.entries[page.champion or 0].bot,)
    for i, row in enumerate(page.crosstable):
        for j, cell in enumerate(row):
            assert cell is None or cell.wins == page.crosstable[j][i].losses  # type: ignore[union-attr]
    files = files_of(written(store, number))
    document = json.loads(files["tournament.json"])
    assert [row["bot"] for row in document["table"]] == [row.bot for row in page.standings]
    assert document["champion"] == page.champion
    final = document["bracket"][-1]["slots"][0]
    assert (final["winner"], sorted(final["entries"])) == (
        page.champion,
        sorted([page.champion or 0, out[-1]]),
    )
    (listed,) = tournaments.with_winners(store, tournaments.listing(store))
    assert listed.winners == page.winners
    verdict(tmp_path, files)
    for field in ("champion", "bracket", "places"):
        forged = {**document, field: document[field] + 1 if field == "champion" else document[field][::-1]}
        with pytest.raises(DecisionMismatch, match=field):
            verdict(tmp_path, {**files, "tournament.json": json.dumps(forged)})


def test_an_undecided_test_has_no_winner(store: Store) -> None:
    number = new_tournament(store, names=NAMES[:2], cycles=20, stop=stop_rules.parse("sprt:0,10")).id
    play_on(store, lambda match: alphabetical(match) if match.set % 3 else alphabetical(match)[::-1])
    page = tournaments.page(store, number)
    assert page.sprt is not None
    assert (page.state, page.sprt.accepted, page.winners) == ("finished", None, ())
    assert tournaments.with_winners(store, tournaments.listing(store))[0].winners == ()


def test_a_test_is_won_by_the_bot_that_is_stronger_by_what_it_accepted(store: Store) -> None:
    for stop, names, winners in (
        ("sprt:0,50", ("greedy", "random"), ("greedy",)),
        ("sprt:0,50", ("random", "greedy"), ()),
        ("sprt:-50,50", ("random", "greedy"), ("greedy",)),
    ):
        number = new_tournament(store, names=names, cycles=5000, stop=stop_rules.parse(stop)).id
        play_on(store, lambda match: alphabetical(match) if match.set % 4 else alphabetical(match)[::-1])
        page = tournaments.page(store, number)
        assert page.sprt is not None
        assert page.sprt.accepted is not None
        assert page.winners == winners
        assert tournaments.with_winners(store, tournaments.listing(store))[0].winners == winners

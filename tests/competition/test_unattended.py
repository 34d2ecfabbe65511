"""Bots that never come: they take no point from each other, go no round further, and have no rating."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.competition.matches import absences, blocks
from arena.competition.matches.blocks import Block, BlockKey, BlockMatch
from arena.rankings import leaderboards, public_ratings
from arena.reports import match_views, tournaments
from arena.reports.archive_verification import DecisionMismatch
from arena.reports.by_format import tournament_winners
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.storage.schema import Tournament
from tests.competition.test_whole_matches import played
from tests.decided_matches import dial_in, new_tournament, store_result
from tests.reports.test_tournament_archive import files_of, verdict, written

HANDS = {"hands": 1}


def new_cup(store: Store, *names: str, **spec: object) -> int:
    """Create a tournament of house bots and of ghosts, bots that run elsewhere; they are entered in the order given."""
    game = str(spec.pop("game", "lost_cities"))
    for name in names:
        if name.startswith("ghost"):
            dial_in(store, OPERATOR, game, name)
    return new_tournament(store, game, names, **{"options": HANDS, **spec}).id


def store_match(store: Store, block: Block, match: BlockMatch, away: Collection[str]) -> None:
    """Store a match as a worker does: played, or forfeited by all who are away."""
    missing = tuple(seat for seat, each in enumerate(match.seats) if each.bot in away)
    record = (
        absences.forfeit(block, match, missing[0], limit_s=60, reason="it is not connected")
        if missing
        else played(block, match)
    )
    store_result(store, block.tournament_id, match.set, match.match, match.attempt, record, absent=missing)


def play_without(store: Store, *away: str, most: int = 1_000_000) -> None:
    """Play so many matches at most, while some bots are away."""
    while most and (block := blocks.claim(store, "anna", 60.0)) is not None:
        for match in block.matches[:most]:
            store_match(store, block, match, away)
        key = BlockKey(block.tournament_id, block.number)
        finish = blocks.finish if most >= len(block.matches) else blocks.abandon
        finish(store, key, "anna")
        most -= min(most, len(block.matches))


def recount(store: Store, number: int, away: Collection[str]) -> Mapping[str, tuple[int, float, int]]:
    """Return by bot its matches, points and absences, counted from the list of matches alone."""
    found: dict[str, tuple[int, float, int]] = {}
    for row in match_views.of_tournament(store, number):
        here = [seat for seat in row.seats if seat.bot not in away]
        for seat in row.seats:
            matches, points, absent = found.get(seat.bot, (0, 0.0, 0))
            won = 0.0
            if len(here) == len(row.seats):
                assert seat.place is not None
                others = [each.place or 0 for each in row.seats if each is not seat]
                won = sum((seat.place < other) + (seat.place == other) / 2 for other in others)
            elif seat in here:
                won = len(row.seats) - len(here)
            found[seat.bot] = (matches + 1, points + won, absent + (seat not in here))
    return found


def agrees(store: Store, number: int, away: Collection[str]) -> TournamentPage:
    """See that the table is what the list of matches comes to, and that only who was there has a rating."""
    page = tournaments.page(store, number)
    expected = recount(store, number, away)
    assert {row.bot: (row.matches, row.points) for row in page.standings} == {
        bot: (matches, points) for bot, (matches, points, _) in expected.items()
    }
    assert {row.bot for row in page.standings if row.faults} == {
        bot for bot, (_, _, absent) in expected.items() if absent
    }
    assert not [row.bot for row in page.standings if row.bot in away and row.elo is not None]
    return page


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("lost_cities", ("ghost1", "greedy", "ghost2", "random")),
        ("land_unter", ("ghost1", "greedy", "ghost2", "random", "rusher")),
        ("land_unter", ("ghost1", "greedy", "ghost2", "ghost3")),
        ("lifeboats", ("ghost1", "greedy", "ghost2", "random", "rusher", "ghost3")),
    ],
    ids=["2 seats", "3 seats", "4 seats", "6 seats"],
)
def test_bots_that_never_come_take_nothing_and_have_no_rating(
    store: Store, tmp_path: Path, game: str, names: tuple[str, ...]
) -> None:
    away = [name for name in names if name.startswith("ghost")]
    seats = {"lost_cities": 2, "lifeboats": 6}.get(game, len(names) - (len(names) == 5) * 2)
    number = new_cup(store, *names, game=game, seats=seats, options={}, cycles=2)
    play_without(store, *away)
    page = agrees(store, number, away)
    assert {row.points for row in page.standings if row.bot in away} == {0.0}
    verdict(tmp_path, files_of(written(store, number)))
    assert page.pool is not None
    assert public_ratings.refresh(store, page.pool)
    board = leaderboards.read(store, game)
    assert not {row.bot for row in board.rows} & set(away)


def test_a_match_that_both_were_away_from_has_no_record_and_says_who(store: Store) -> None:
    number = new_cup(store, "ghost1", "ghost2", "greedy")
    play_without(store, "ghost1", "ghost2")
    shown = [match_views.page(store, number, each, 0) for each in range(3)]
    (unattended,) = [page for page in shown if page.end == "absent"]
    assert (unattended.state, unattended.record, {seat.place for seat in unattended.seats}) == (
        "dropped",
        None,
        {2},
    )
    assert unattended.absent is not None
    assert "ghost1@1" in unattended.absent
    assert "ghost2@1" in unattended.absent


@pytest.mark.parametrize("sets", [1, 3])
def test_nobody_goes_on_from_a_pairing_that_nobody_played(store: Store, tmp_path: Path, sets: int) -> None:
    # Seeds 0 and 3 meet, then 1 and 2.
    number = new_cup(store, "ghost1", "greedy", "random", "ghost2", format="knockout", given={"sets": sets})
    play_without(store, "ghost1", "ghost2")
    page = agrees(store, number, ("ghost1", "ghost2"))
    assert page.state == "finished"
    assert [len(each.ties) for each in page.rounds] == [2]
    (nothing,) = [tie for tie in page.rounds[0].ties if tie.entries == (0, 3)]
    assert (nothing.winner, nothing.points, nothing.sets, nothing.unattended) == (
        None,
        (0.0, 0.0),
        sets,
        True,
    )
    (tie,) = [tie for tie in page.rounds[0].ties if tie.entries == (1, 2)]
    assert page.champion == tie.winner is not None
    verdict(tmp_path, files_of(written(store, number)))


def test_a_walkover_is_shown_as_a_bye_of_the_next_round(store: Store, tmp_path: Path) -> None:
    names = ("ghost1", "greedy", "random", "rusher", "counter", "hoarder", "cautious", "ghost2")
    number = new_cup(store, *names, format="knockout")
    play_without(store, "ghost1", "ghost2")
    page = tournaments.page(store, number)
    assert [len(each.ties) for each in page.rounds] == [4, 1, 1]
    assert len(page.rounds[1].byes) == 1
    assert page.champion is not None
    verdict(tmp_path, files_of(written(store, number)))


def test_a_final_that_nobody_played_has_no_champion(store: Store, tmp_path: Path) -> None:
    number = new_cup(store, "ghost1", "ghost2", "random", "greedy", format="knockout")
    play_without(store, "random", "greedy", most=4)
    page = tournaments.page(store, number)
    assert [tie.winner for tie in page.rounds[0].ties] in ([0, 1], [1, 0])
    play_without(store, "ghost1", "ghost2")
    page = tournaments.page(store, number)
    assert (page.state, page.champion) == ("finished", None)
    assert page.decisions[0].words.startswith("finished: all rounds are played; there is no champion")
    assert tournament_winners.read(store, [tournaments.row(store, number)]) == {number: ()}
    verdict(tmp_path, files_of(written(store, number)))


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "race"])
def test_every_format_counts_those_who_never_come_alike(store: Store, tmp_path: Path, form: str) -> None:
    given = {"rounds": 8} if form == "race" else {}
    number = new_cup(store, "ghost1", "ghost2", "random", "greedy", format=form, given=given)
    play_without(store, "ghost1", "ghost2")
    page = agrees(store, number, ("ghost1", "ghost2"))
    assert page.state == "finished"
    assert page.champion is None or page.entries[page.champion].bot in {"random", "greedy"}
    verdict(tmp_path, files_of(written(store, number)))


def test_who_comes_once_is_rated_by_all_its_matches(store: Store) -> None:
    number = new_cup(store, "ghost1", "greedy", "random", cycles=3)
    play_without(store, "ghost1", most=6)
    play_without(store)
    rows = {row.bot: row for row in tournaments.page(store, number).standings}
    assert rows["ghost1"].elo is not None
    assert 0 < rows["ghost1"].faults < rows["ghost1"].matches


def test_the_only_one_who_comes_wins_by_points(store: Store, tmp_path: Path) -> None:
    number = new_cup(store, "ghost1", "greedy")
    play_without(store, "ghost1")
    page = agrees(store, number, ("ghost1",))
    assert [(row.bot, row.rank, row.elo, row.points) for row in page.standings] == [
        ("greedy", 1, None, 2.0),
        ("ghost1", 2, None, 0.0),
    ]
    assert tournament_winners.read(store, [tournaments.row(store, number)]) == {number: ("greedy",)}
    verdict(tmp_path, files_of(written(store, number)))


def test_who_never_came_has_not_won_among_others_who_did_not(store: Store) -> None:
    number = new_cup(store, "ghost1", "ghost2")
    play_without(store, "ghost1", "ghost2")
    assert tournament_winners.read(store, [tournaments.row(store, number)]) == {number: ()}


def test_a_tournament_that_began_by_older_rules_keeps_them(store: Store, tmp_path: Path) -> None:
    number = new_cup(store, "ghost1", "ghost2", "greedy", format="knockout")
    with store.write() as session:
        session.execute(update(Tournament).where(Tournament.id == number).values(plan_version=2))
    block = blocks.claim(store, "anna", 60.0)
    assert block is not None
    for match in block.matches:
        store_match(store, block, match, ("ghost1", "ghost2"))
    ends = [match_views.page(store, number, 0, each) for each in range(2)]
    assert {page.end for page in ends} == {"fault"}


def test_an_annulled_ghost_leaves_nothing_behind(store: Store, tmp_path: Path) -> None:
    number = new_cup(store, "ghost1", "ghost2", "greedy", "random", cycles=2)
    play_without(store, "ghost1", "ghost2", most=6)
    lifecycle.withdraw(store, number, "ghost1", OPERATOR, annul=True)
    play_without(store, "ghost1", "ghost2")
    rows = {row.bot: row for row in tournaments.page(store, number).standings}
    assert (rows["ghost1"].matches, rows["ghost1"].faults) == (0, 0)
    verdict(tmp_path, files_of(written(store, number)))


def test_an_archive_in_which_an_absence_is_made_up_is_refused(store: Store, tmp_path: Path) -> None:
    number = new_cup(store, "ghost1", "ghost2", "greedy", "random")
    play_without(store, "ghost1", "ghost2")
    files = files_of(written(store, number))
    for was, now in (
        ('"absent":[0,1]', '"absent":[0]'),
        ('"end":"completed"', '"end":"completed","absent":[1]'),
        ('"kind":"crash"},"absent":[0]}', '"kind":"crash"},"absent":[1]}'),
    ):
        assert was in files["tournament.json"]
        changed = {**files, "tournament.json": files["tournament.json"].replace(was, now, 1)}
        with pytest.raises(DecisionMismatch, match=r"absent|end"):
            verdict(tmp_path, changed)

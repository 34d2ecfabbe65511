"""Rounds as they are shown: a bracket agrees with what was drawn, whoever leaves and whenever."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockKey
from arena.reports import decision_log, tournaments
from arena.reports.tournament_details import TournamentPage
from arena.scheduling import stop_rules
from arena.storage import Store
from tests.decided_matches import NAMES, add, alphabetical, claim, new_tournament, play_on
from tests.reports.test_tournament_archive import files_of, play_whole, verdict, written

HANDS = {"hands": 1}


def play_block(store: Store, chance: random.Random) -> None:
    block = blocks.claim(store, "anna", 60.0)
    if block is not None:  # None: whoever was in it has left
        for match in block.matches:
            add(store, block, match, chance.choice([[1, 1], alphabetical(match)]))
        blocks.finish(store, BlockKey(block.tournament_id, block.number), "anna")


def check_bracket(page: TournamentPage) -> None:
    """Whoever plays a stage, or has a bye in it, has gone on from the one before; who won, plays on or has left."""
    for before, after in zip(page.rounds, page.rounds[1:], strict=False):
        through = {tie.winner for tie in before.ties} | set(before.byes)
        there = {entry for tie in after.ties for entry in tie.entries} | set(after.byes)
        assert there <= through
    assert all(tie.winner in {None, *tie.entries} for each in page.rounds for tie in each.ties)


@pytest.mark.parametrize("seed", range(12))
def test_a_bracket_agrees_with_what_was_drawn(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    names = NAMES[: chance.randint(3, len(NAMES))]
    new_tournament(store, names=names, format="knockout", given={"sets": chance.choice([1, 2])})
    there = list(names)
    while tournaments.row(store, 1).state == "running":
        if len(there) > 2 and chance.random() < 0.3:
            leaver = there.pop(chance.randrange(len(there)))
            lifecycle.withdraw(store, 1, leaver, OPERATOR, annul=chance.random() < 0.5)
        play_block(store, chance)
        check_bracket(tournaments.page(store, 1))
    page = tournaments.page(store, 1)
    assert page.champion is not None
    assert page.entries[page.champion].left is None


def test_a_test_says_what_its_decision_says(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=5000, stop=stop_rules.parse("sprt:0,50"))
    play_on(store, lambda match: alphabetical(match) if match.set % 3 else alphabetical(match)[::-1])
    page = tournaments.page(store, 1)
    assert page.sprt is not None
    words = f"finished: after {page.sprt.sets} sets elo1 = 50 is accepted (LLR {page.sprt.llr:.2f})"
    assert (page.sprt.accepted, page.decisions[0].words) == ("elo1", words)


def test_a_test_accepts_nothing_before_it_looks_and_says_when_it_does(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=5000, stop=stop_rules.parse("sprt:0,50"))
    block = claim(store)
    assert len(block.matches) == 16
    for match in block.matches[:-1]:
        add(store, block, match, alphabetical(match))
    page = tournaments.page(store, 1)
    assert page.sprt is not None
    assert (page.sprt.sets, page.sprt.accepted, page.sprt.next_look) == (7, None, 16)
    assert page.sets_total == 16
    blocks.finish(store, BlockKey(1, block.number), "anna")
    play_on(store)
    page = tournaments.page(store, 1)
    assert page.sprt is not None
    assert (page.sprt.sets, page.sprt.accepted, page.sprt.next_look) == (16, "elo1", None)
    assert (page.state, page.matches_done, page.matches_total) == ("finished", 32, 32)


def test_a_swiss_gives_two_points_for_a_bye(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], format="swiss", given={"rounds": 3})
    play_on(store)
    page = tournaments.page(store, 1)
    assert [(row.points, row.byes) for row in page.points] == [(6.0, 1), (4.0, 1), (2.0, 1)]


@pytest.mark.parametrize("place", [0, 1])
def test_an_archive_in_which_a_finalist_was_annulled_can_be_checked(
    store: Store, tmp_path: Path, place: int
) -> None:
    new_tournament(store, names=("greedy", "random", "cautious", "rusher"), format="knockout", options=HANDS)
    while len(tournaments.page(store, 1).rounds) < 2:
        play_whole(store, 1)
    final = tournaments.page(store, 1).rounds[1].ties[0]
    gone, other = final.entries[place], final.entries[1 - place]
    lifecycle.withdraw(store, 1, tournaments.page(store, 1).entries[gone].bot, OPERATOR, annul=True)
    play_whole(store)
    page = tournaments.page(store, 1)
    assert (page.state, page.champion) == ("finished", other)
    assert [tie.winner for tie in page.rounds[0].ties if gone in tie.entries] == [gone]
    verdict(tmp_path, files_of(written(store, 1)))


@pytest.mark.parametrize(
    "spec", [{"format": "swiss", "given": {"rounds": 5}}, {"cycles": 100, "stop": stop_rules.Separated(1)}]
)
def test_the_log_reads_the_same_from_wherever_it_is_read(store: Store, spec: dict[str, Any]) -> None:
    new_tournament(store, names=NAMES[:3], **spec)
    lifecycle.extend(store, 1, 1, OPERATOR)
    lifecycle.withdraw(store, 1, "rusher", OPERATOR)
    play_on(store, lambda _: [1, 1])
    whole = decision_log.decision_rows(store, 1)
    assert len(whole) >= 6
    for first in range(len(whole)):
        assert decision_log.decision_rows(store, 1, first=first, most=2) == whole[first : first + 2]
    latest = tournaments.page(store, 1).decisions
    assert [row.words for row in latest] == [row.words for row in reversed(whole)]

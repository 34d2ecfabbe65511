"""Rounds: what the pages show of formats that adapt, and of a test: who met whom, who had a bye, how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.competition.matches import running_totals
from arena.competition.plans import StoredPlan
from arena.rankings.read_models import PointsRow, RoundRow, SprtRow, TieRow
from arena.ratings.totals import half_units
from arena.scheduling.controller import played_rounds
from arena.scheduling.formats.adaptive_rounds import PlayedRound, SetPairs
from arena.scheduling.stop_rules import Sprt
from arena.storage.schema import SetTotal


def read(session: Session, stored: StoredPlan) -> tuple[PlayedRound, ...]:
    """Return the rounds of a tournament that is played in rounds, with the results so far; none of any other."""
    if not stored.rules.adapts or stored.rules.is_standing or not stored.course.rounds:
        return ()
    played: Mapping[int, SetPairs] = running_totals.played(session, stored)
    return played_rounds(stored.course, played, stored.plan.seats)


def shown(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[RoundRow, ...]:
    """Return the rounds as they are shown, in their order; those of a knockout with the further sets of its ties."""
    rounds = stored.rules.rounds_shown(len(stored.entries), stored.course, played)
    return tuple(
        RoundRow(
            number,
            each.name,
            tuple(
                TieRow(tie.table, tuple(halves / 2 for halves in tie.halves), tie.winner, tie.sets)
                for tie in each.ties
            ),
            each.byes,
        )
        for number, each in enumerate(rounds, 1)
    )


def points(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[PointsRow, ...]:
    """Return the points by which bots are paired, the best first; they decide nothing else."""
    halves = stored.rules.pairing_points(len(stored.entries), played)
    byes = [sum(entry in each.byes for each in played) for entry in range(len(halves))]
    rows = [PointsRow(entry, halves[entry] / 2, byes[entry]) for entry in range(len(halves))]
    return tuple(sorted(rows, key=lambda row: (-row.points, row.entry)))


def champion(stored: StoredPlan, played: Sequence[PlayedRound]) -> int | None:
    """Return the entry that has won a knockout; None while it goes on, and if it was cancelled."""
    return stored.rules.champion(len(stored.entries), stored.course, played)


def sprt(session: Session, stored: StoredPlan) -> SprtRow | None:
    """Say how a test between two versions stands; None where there is none."""
    stop = stored.rules.stop
    if not isinstance(stop, Sprt) or len(stored.entries) != 2:
        return None
    over = stored.course.over
    whole = 2 * stored.plan.seats * half_units(stored.plan.seats)
    units = (SetTotal.low, SetTotal.low_units, SetTotal.high_units)
    query = select(*units, func.count()).where(SetTotal.tournament_id == stored.tournament_id)
    scores: list[float] = []
    for low, low_units, high_units, sets in session.execute(query.group_by(*units).order_by(*units)):
        if over is None and low_units + high_units != whole:
            continue  # a set that is still played
        won = low_units if low == stored.entries[0].version_id else high_units
        scores += [won / (low_units + high_units)] * sets
    look = stop.look(scores)
    return SprtRow(
        look.sets,
        look.llr,
        look.low,
        look.high,
        stop.elo0,
        stop.elo1,
        accepted=None if over is None or over.cancelled else look.accepted,
        next_look=stored.plan.sets_total if over is None else None,
    )

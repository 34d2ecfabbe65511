"""Exports: a tournament as one canonical text, the same byte for byte wherever and however it was played.

No wall times, no database ids, no number of attempts where they share a deal: what was killed on the way leaves no trace.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.competition import disclosure, plans
from arena.competition.matches import running_totals
from arena.competition.matches.outcomes import FAULT_END, UNPLAYED, seat_values
from arena.rankings import standings
from arena.ratings.model import ALGORITHM
from arena.reports import round_views
from arena.scheduling.decisions import to_json
from arena.scheduling.planning_terms import PLAN_VERSION
from arena.storage.schema import MatchResult, Tournament

if TYPE_CHECKING:
    from arena.competition.plans import StoredPlan
    from arena.rankings.standings import StandingRow
    from arena.scheduling.formats.adaptive_rounds import PlayedRound
    from arena.scheduling.formats.bracket import Reached
    from arena.scheduling.match_sets import PlannedMatch
    from arena.storage import Store

FORMATS = {1: "arena-tournament/3", 2: "arena-tournament/4", 3: "arena-tournament/5"}
"""By the version of the plan: the first says nothing of owners, the first two say nothing of who was away."""
FORMAT = FORMATS[PLAN_VERSION]
_WITH_COURSE = 3
"""From this version of the plan on an export has the champion, the bracket, and a knockout's table in the order of its places."""


def export(store: Store, tournament_id: int) -> str:
    """Write a tournament as canonical JSON: what it was given, every result so far, the table.  Raises NotFound.

    One line for each match, so that two exports can be compared line by line.
    """
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        tournament = session.get_one(Tournament, tournament_id)
        decisions = plans.decisions_of(session, tournament_id)
        found = session.scalars(
            select(MatchResult)
            .where(MatchResult.tournament_id == tournament_id)
            .order_by(MatchResult.set_number, MatchResult.match_number)
        ).all()
        played = round_views.read(session, stored)
        reached = places_of(stored, played)
        table = standings.read(store, session, tournament_id, stored.entries, reached)
        broken = running_totals.broken_sets(session, stored)
    is_open = disclosure.is_open(stored, disclosure.secret_opens_at(stored))
    version_1 = stored.terms.version == 1
    head: dict[str, object] = {
        "format": FORMATS[stored.terms.version],
        "name": tournament.name,
        "schedule": tournament.format,
        "game": stored.game,
        "variant": stored.variant,
        "options": dict(stored.options),
        "seats": stored.plan.seats,
        "time": str(stored.time),
        "cycles": stored.rules.cycles,
        "rules": stored.rules.to_json(),
        "trusted": stored.plan.trusted,
        **({} if version_1 else {"plan": stored.terms.version, "rated": stored.terms.rated}),
        "bots": [_bot(stored, number) for number in range(len(stored.entries))],
        "state": tournament.state,
        "commitment": tournament.commitment.hex(),
        "secret": tournament.secret.hex() if is_open else None,
        "matches_total": tournament.matches_total,
        "algorithm": ALGORITHM,
        "input_sha256": table.input_sha256,
        **course_of(stored, played),
        "decisions": [json.loads(to_json(decision)) for decision in decisions],
    }
    return "".join(
        (
            _text(head)[:-1],
            ',"table":[\n',
            ",\n".join(_text(standing(row)) for row in table.rows),
            '\n],"matches":[\n',
            ",\n".join(_text(_match(stored, result, broken)) for result in found),
            "\n]}\n",
        )
    )


def places_of(stored: StoredPlan, played: Sequence[PlayedRound]) -> Mapping[int, Reached]:
    """Return what an exported table goes by besides Elo; by nothing before `arena-tournament/5`."""
    return round_views.reached(stored, played) if stored.terms.version >= _WITH_COURSE else {}


def course_of(stored: StoredPlan, played: Sequence[PlayedRound]) -> dict[str, object]:
    """Return who has won, and of a knockout its ties and how far each entry got, as they are exported."""
    if stored.terms.version < _WITH_COURSE or not stored.rules.has_champion:
        return {}
    champion = round_views.champion(stored, played)
    if not stored.rules.bracket(len(stored.entries)):
        return {"champion": champion}
    return {
        "champion": champion,
        "bracket": [_stage(stage) for stage in round_views.bracket(stored, played)],
        "places": [
            {"entry": row.entry, "stage": row.stage, "low": row.low, "high": row.high}
            for row in round_views.places(round_views.reached(stored, played))
        ],
    }


def _stage(stage: round_views.BracketStageRow) -> dict[str, object]:
    """Return a stage of a bracket: its ties and byes from top to bottom, null where nothing is drawn."""
    slots: list[object] = []
    for slot in stage.slots:
        if slot.tie is not None:
            tie = slot.tie
            slots.append(
                {
                    "entries": list(tie.entries),
                    "points": list(tie.points),
                    "winner": tie.winner,
                    "sets": tie.sets,
                    "unattended": tie.unattended,
                }
            )
        else:
            slots.append(None if slot.bye is None else {"bye": slot.bye})
    return {"name": stage.name, "slots": slots}


def standing(row: StandingRow) -> dict[str, object]:
    """Return a row of the table as it is exported."""
    return {
        "rank": row.rank,
        "bot": row.bot,
        "version": row.version,
        "elo": row.elo,
        "error": row.error,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "component": row.component,
        "matches": row.matches,
        "points": row.points,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "faults": row.faults,
    }


def annulled_seats(stored: StoredPlan, planned: PlannedMatch, broken: AbstractSet[int]) -> tuple[int, ...]:
    """Return the seats whose results in a match do not count: all of a set that a withdrawal broke off, or of annulled entries."""
    if planned.set in broken:
        return tuple(range(len(planned.seats)))
    void = stored.course.withdrawn
    return tuple(seat for seat, entry in enumerate(planned.seats) if void.get(entry))


def _bot(stored: StoredPlan, number: int) -> dict[str, object]:
    """Return an entry: two of one owner have the same group, the house's have none."""
    entry, groups = stored.entries[number], stored.terms.groups
    said = {"bot": entry.bot, "version": entry.version, "hosted": entry.hosted}
    return {**said, "group": groups[number]} if groups else said


def _match(stored: StoredPlan, result: MatchResult, broken: AbstractSet[int]) -> dict[str, object]:
    planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
    counts = result.end not in UNPLAYED or result.absent
    annulled = list(annulled_seats(stored, planned, broken)) if counts else []
    return {
        "set": result.set_number,
        "match": result.match_number,
        "id": planned.id,
        **({} if planned.shared else {"attempt": result.attempt}),
        "seats": list(planned.seats),
        "end": result.end,
        "places": list(seat_values(result.places)),
        "scores": None if result.scores is None else list(seat_values(result.scores)),
        **(
            {"fault": {"seat": result.fault_seat, "kind": result.fault_kind}}
            if result.end == FAULT_END
            else {}
        ),
        **({"absent": list(seat_values(result.absent))} if result.absent else {}),
        **({"annulled": annulled} if annulled else {}),
    }


def _text(value: dict[str, object]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

"""Puzzles in a store without a search: a position of one of its matches, whose best choice is said and not computed."""

from __future__ import annotations

import time
from datetime import date

from arena.match.choice_chances import ChoiceEstimate
from arena.match.record import from_json
from arena.reports import match_views
from arena.reports.insights import puzzle_search, stored_chances, watchable_matches
from arena.reports.insights.stored_chances import ChoiceKey
from arena.reports.puzzles import stored_puzzles
from arena.storage import Store
from arena.storage.schema import DailyPuzzle

BEST, SECOND, REST = 0.62, 0.5, 0.4
ERROR = 0.01


def settle(store: Store, game: str, *days: date, gap: float = BEST - SECOND) -> ChoiceKey:
    """Make a position of a game the puzzle of some days; the first choice that `greedy` does not make is the best."""
    rows = (row for row in watchable_matches.open_at(store, time.time() + 1) if row.game == game)
    for row in rows:
        text = match_views.page(store, *row.key).record
        if row.end != "completed" or text is None:
            continue
        record = from_json(text)
        for position in puzzle_search.positions(record, row.id):
            bots = puzzle_search.ask_bots(store, record, position)
            greedy = next(each.action for each in bots if each.bot == "greedy")
            best, *others = (each for each in position.seen.legal if each != greedy)
            shares = {greedy: BEST - gap, best: BEST, **dict.fromkeys(others, min(REST, BEST - gap))}
            key = ChoiceKey(*row.key, position.point, position.seat)
            stored_chances.OF_CHOICES.save(
                store, key, [ChoiceEstimate(each, shares[each], ERROR) for each in position.seen.legal]
            )
            with store.write() as session:
                for day in days:
                    session.add(
                        DailyPuzzle(
                            day=str(day),
                            game=game,
                            chosen_at=0.0,
                            tried=1,
                            settled=True,
                            gap=gap,
                            tournament_id=row.tournament_id,
                            set_number=row.set,
                            match_number=row.match,
                            point=position.point,
                            seat=position.seat,
                            bots=stored_puzzles.write_bots(bots),
                        )
                    )
            return key
    raise AssertionError(f"no match of {game} has a position for a puzzle")

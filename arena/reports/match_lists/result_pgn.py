"""PGN: the results of a tournament of two seats, without moves, as Ordo and BayesElo read them.

    [Event "Winter cup"]
    [Site "?"]
    [Date "2026.11.28"]
    [Round "4.1"]
    [White "greedy@1"]
    [Black "random@1"]
    [Result "1-0"]

    1-0

White is the first seat.  The round is the set and the match, numbered as in the CSV.  Matches that were not played and those whose
results do not count are left out.  Only the values of tags come from people: quotation marks and backslashes in them are escaped, so
that no value ends its tag or begins another, for a reader that only searches each line for `[White "` either.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from sqlalchemy import select

from arena.competition.matches.outcomes import UNPLAYED
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.reports import exports
from arena.storage import Store
from arena.storage.schema import MatchResult

_SEATS = 2


def of_results(store: Store, tournament_id: int) -> str:
    """Write the results of a tournament so far.  Raises NotFound, Refusal if its tables have more than two seats."""
    document = json.loads(exports.export(store, tournament_id))
    if document["seats"] != _SEATS:
        raise Refusal(
            "not_two_seats",
            say(
                "format pgn: PGN has two players, and tournament {tournament} is played at {seats} seats; choose csv",
                tournament=tournament_id,
                seats=document["seats"],
            ),
            field="format",
        )
    columns = (MatchResult.set_number, MatchResult.match_number, MatchResult.stored_at)
    with store.read() as session:
        rows = session.execute(select(*columns).where(MatchResult.tournament_id == tournament_id)).all()
    dates = {(number, match): datetime.fromtimestamp(at, UTC) for number, match, at in rows}
    bots = [f"{bot['bot']}@{bot['version']}" for bot in document["bots"]]
    return "".join(
        _game(
            Event=document["name"],
            Site="?",
            Date=f"{dates[match['set'], match['match']]:%Y.%m.%d}",
            Round=f"{match['set']}.{match['match']}",
            White=bots[match["seats"][0]],
            Black=bots[match["seats"][1]],
            Result=_result(*match["places"]),
        )
        for match in document["matches"]
        if match["end"] not in UNPLAYED
        and not match.get("annulled")
        and (match["set"], match["match"]) in dates
    )


def _result(white: int, black: int) -> str:
    """Return a result by places: a bot at fault is the last."""
    if white == black:
        return "1/2-1/2"
    return "1-0" if white < black else "0-1"


def _game(**tags: str) -> str:
    lines = [f'[{name} "{_value(text)}"]\n' for name, text in tags.items()]
    return f"{''.join(lines)}\n{tags['Result']}\n\n"


def _value(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')

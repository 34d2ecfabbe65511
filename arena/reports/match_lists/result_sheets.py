"""Sheets: a tournament's results and its standings as CSV, for spreadsheets and for `arena ratings fit`.

    set,match,bots,places,scores,end,forfeits,absent,annulled,groups
    0,0,greedy@1 random@1,1 2,31 12,completed,,,,- 0

One line for each match that has places.  Bots, places, scores and groups are in seat order; `forfeits`, `absent` and `annulled` name
bots: those that lost without playing to the end, those that did not take part, and those whose results do not count.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from arena.competition import plans
from arena.competition.matches.outcomes import UNPLAYED
from arena.rankings import standings
from arena.ratings import csv_results
from arena.reports import exports, round_views
from arena.storage import Store
from arena.storage.schema import MatchResult

_Match = dict[str, Any]
_STANDINGS = (
    *("rank", "bot", "version", "owner", "elo", "error", "rank_low", "rank_high", "component"),
    *("matches", "points", "wins", "draws", "losses", "faults"),
)


def of_document(document: Mapping[str, Any], dates: Mapping[tuple[int, int], str] | None = None) -> str:
    """Write the results of an export, with the times at which they were stored where those are given."""
    bots = [f"{bot['bot']}@{bot['version']}" for bot in document["bots"]]
    groups = ["-" if bot.get("group") is None else str(bot["group"]) for bot in document["bots"]]
    columns = [*csv_results.IN_ARCHIVES, *([] if dates is None else ["date"])]
    rows = []
    for match in _with_places(document):
        names = [bots[entry] for entry in match["seats"]]
        absent = match.get("absent", [])
        rows.append(
            {
                "set": match["set"],
                "match": match["match"],
                "bots": " ".join(names),
                "places": _numbers(match["places"]),
                "scores": _numbers(match["scores"] or ()),
                "end": match["end"],
                "forfeits": _named(names, [match["fault"]["seat"]] if match.get("fault") else absent),
                "absent": _named(names, absent),
                "annulled": _named(names, match.get("annulled", [])),
                "groups": " ".join(groups[entry] for entry in match["seats"]),
                **({} if dates is None else {"date": dates[match["set"], match["match"]]}),
            }
        )
    return _written(columns, rows)


def of_older_archive(document: Mapping[str, Any]) -> str:
    """Write the results as archives had them up to `arena-tournament/4`: set, bots and places."""
    bots = [f"{bot['bot']}@{bot['version']}" for bot in document["bots"]]
    rows = [
        {
            "set": match["set"],
            "bots": " ".join(bots[entry] for entry in match["seats"]),
            "places": _numbers(match["places"]),
        }
        for match in _with_places(document)
    ]
    return _written(csv_results.HEADER, rows)


def of_results(store: Store, tournament_id: int) -> str:
    """Write the results of a tournament so far, with their dates.  Raises NotFound."""
    document = json.loads(exports.export(store, tournament_id))
    columns = (MatchResult.set_number, MatchResult.match_number, MatchResult.stored_at)
    with store.read() as session:
        rows = session.execute(select(*columns).where(MatchResult.tournament_id == tournament_id)).all()
    dates = {
        (number, match): datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
        for number, match, at in rows
    }
    matches = [match for match in document["matches"] if (match["set"], match["match"]) in dates]
    return of_document({**document, "matches": matches}, dates)


def of_standings(store: Store, tournament_id: int) -> str:
    """Write the standings of a tournament as they are now, the best first, with the owners of the bots.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        reached = round_views.reached(stored, round_views.read(session, stored))
        table = standings.read(store, session, tournament_id, stored.entries, reached)
    rows = [{**exports.standing(row), "owner": stored.entries[row.entry].owner or ""} for row in table.rows]
    return _written(_STANDINGS, rows)


def _with_places(document: Mapping[str, Any]) -> Iterable[_Match]:
    return (match for match in document["matches"] if match["end"] not in UNPLAYED or match.get("absent"))


def _named(names: Sequence[str], seats: Iterable[int]) -> str:
    return " ".join(dict.fromkeys(names[seat] for seat in seats))


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _written(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    written = io.StringIO()
    sheet = csv.DictWriter(written, columns, lineterminator="\n")
    sheet.writeheader()
    sheet.writerows(rows)
    return written.getvalue()

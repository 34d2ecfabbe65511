"""Tables of the commands: tournaments, standings, crosstable, Elo, bots, accounts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from rich.filesize import decimal

from arena.accounts.tokens import TokenRow
from arena.accounts.users import UserRow
from arena.bot_registry.bot_names import called
from arena.cli.support.fitted_table import Column, FittedTable, name, number, text
from arena.competition.ladders import LadderRow
from arena.competition.qualification.submissions import VersionRow
from arena.declarations import declared_tables
from arena.rankings.rating_rows import RatingRow, RatingTable
from arena.rankings.standings import CrosstableCell, StandingRow, ranks
from arena.ratings.elo_table import Rated
from arena.reports.bot_logs import LogRow
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.reports.tournament_details import ListedTournament, TournamentPage
from arena.service.composed_answers import Bot
from arena.storage.schema import MatchResult
from arena.storage.table_sizes import TableSize

_CERTAIN = "± and ranks are 95% confidence intervals, relative to the field average."
_APART = "Bots of different groups never met; their Elo cannot be compared."
_PROVISIONAL = "? provisional: fewer than 30 matches, or an error of 100 or more"


def listing(rows: Sequence[ListedTournament]) -> FittedTable:
    """Draw the list of tournaments."""
    columns = (number("id"), text("name"), name("game"), name("format", spare=1), name("state"))
    table = FittedTable("Tournaments", (*columns, number("matches"), text("winner")))
    for row in rows:
        game = row.game if row.variant == "standard" else f"{row.game} ({row.variant})"
        matches = f"{row.matches_done} of {row.matches_total}"
        winners = ", ".join(row.winners or ())
        table.add(str(row.id), row.name, game, row.format, row.state, matches, winners)
    return table


def sizes(tables: tuple[TableSize, ...]) -> FittedTable:
    """Draw the sizes of a store's tables, their sum, and what it comes to for each match with a result."""
    total = sum(size.size_bytes or 0 for size in tables)
    matches = next(size.rows for size in tables if size.table == MatchResult.__tablename__)
    notes = (f"{total / matches:,.0f} bytes for each of {matches:,} matches",) if total and matches else ()
    drawn = FittedTable("Store", (name("table"), number("rows"), number("size"), number("share")), notes)
    for size in tables:
        known = size.size_bytes is not None
        share = f"{(size.size_bytes or 0) / max(1, total):.1%}" if known else ""
        drawn.add(size.table, f"{size.rows:,}", decimal(size.size_bytes or 0) if known else "", share)
    if total:
        drawn.add("all", "", decimal(total), "")
    return drawn


def ladders(rows: Sequence[LadderRow]) -> FittedTable:
    """Draw the list of ladders."""
    columns = (number("id"), name("pool"), number("seats"), name("state"), number("priority", spare=1))
    table = FittedTable("Ladders", (*columns, number("epochs"), number("tournament")))
    for row in rows:
        last = "" if row.tournament is None else str(row.tournament)
        table.add(str(row.id), row.pool, str(row.seats), row.state, str(row.priority), str(row.epochs), last)
    return table


def bots(rows: Sequence[Bot]) -> FittedTable:
    """Draw the list of bots; the version of one that runs elsewhere is unverified."""
    columns = (name("game"), name("bot"), text("plays", spare=1), text("source"), name("state"))
    table = FittedTable("Bots", (*columns, name("owner", spare=2)))
    for row in rows:
        says = f", says it is {row.declared}" if row.declared not in {None, row.version} else ""
        source = row.source if row.verified else f"{row.source}, unverified{says}"
        plays = _plays(row.game, row.plays)
        table.add(row.game, _bot(row.bot, row.version), plays, source, row.state, row.owner or "")
    return table


def _plays(game: str, plays: Mapping[str, Sequence[int]]) -> str:
    """Return what a bot plays, in words; `all` if that is every table of its game."""
    everything = declared_tables.ALL.of_game(game)
    return (
        "all"
        if {variant: tuple(counts) for variant, counts in plays.items()} == everything
        else declared_tables.words(plays)
    )


def versions(rows: Sequence[VersionRow]) -> FittedTable:
    """Draw the versions of a bot of one's own."""
    columns = (name("bot"), name("game"), text("source", spare=1), text("state"), name("submitted (UTC)"))
    table = FittedTable("Versions", columns)
    for row in rows:
        submitted = minute(row.created_at)
        table.add(_bot(row.bot, row.version), row.game, row.source, row.state, submitted)
    return table


def challenge(rows: Sequence[ListedMatch]) -> FittedTable:
    """Draw the matches of a challenge."""
    table = FittedTable("Challenge", (name("match"), name("end"), text("places and scores, by seat")))
    for row in rows:
        seats = [
            f"{_bot(seat.bot, seat.version)} {seat.place or '–'}. ({'–' if seat.score is None else seat.score})"
            for seat in row.seats
        ]
        table.add(row.id, row.end or row.state, ", ".join(seats))
    return table


def logs(rows: Sequence[LogRow]) -> FittedTable:
    """Draw the last matches of a bot of one's own."""
    columns = (name("match"), name("version"), number("seat", spare=2), text("end"), number("place"))
    times = (number("decisions", spare=1), number("total ms"), number("slowest ms"))
    table = FittedTable("Latest matches", (*columns, *times, number("bytes printed", spare=3)))
    for row in rows:
        end = f"fault: {row.fault}" if row.fault else row.end
        counts = (str(row.place), str(row.decisions), f"{row.total_ms:.1f}", f"{row.longest_ms:.1f}")
        table.add(row.id, row.version, str(row.seat), end, *counts, str(row.printed))
    return table


def users(rows: Sequence[UserRow]) -> FittedTable:
    """Draw the list of users."""
    table = FittedTable("Users", (name("name"), name("role"), name("password"), number("tokens")))
    for row in rows:
        table.add(row.name, row.role, "yes" if row.has_password else "none", str(row.tokens))
    return table


def tokens(rows: Sequence[TokenRow]) -> FittedTable:
    """Draw the list of one's tokens."""
    columns = (name("id"), text("label"), text("scopes"), name("created (UTC)", spare=1))
    table = FittedTable("Tokens", (*columns, name("last used (UTC)"), name("expires (UTC)")))
    for row in rows:
        times = [
            "never" if at is None else minute(at) for at in (row.created_at, row.used_at, row.expires_at)
        ]
        table.add(row.id, row.label, ", ".join(row.scopes), *times)
    return table


def standings(page: TournamentPage) -> FittedTable:
    """Draw the standings of a tournament."""
    groups = len({row.component for row in page.standings}) > 1
    results = (number("matches", spare=4), number("points", spare=1), number("won", spare=6))
    rest = (number("drawn", spare=7), number("lost", spare=5), number("faults", spare=2))
    columns = (*_PLACES, number("ranks", spare=3), *results, *rest)
    table = FittedTable(page.name, (*columns, *_group(groups)), _notes(groups))
    for row in page.standings:
        table.add(
            str(row.rank),
            _entry(row),
            _elo(row),
            _ranks(row),
            str(row.matches),
            f"{row.points:g}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            str(row.faults),
            *([str(row.component + 1)] if groups else []),
        )
    return table


def crosstable(page: TournamentPage) -> FittedTable | None:
    """Draw who scored how much against whom; None where no two bots have met, or the table is too large."""
    rows = page.standings[: len(page.crosstable)]
    if not any(cell is not None for cells in page.crosstable for cell in cells):
        return None
    columns = (number("#"), name("bot"), *(number(str(at + 1)) for at in range(len(rows))))
    notes = ("Points of the row's bot against the column's, out of their matches.",)
    table = FittedTable("Crosstable", columns, notes)
    for at, (row, cells) in enumerate(zip(rows, page.crosstable, strict=True)):
        table.add(str(at + 1), called(row, page.standings), *map(_cell, cells))
    return table


def elo(pool: RatingTable) -> FittedTable:
    """Draw the Elo table of a pool."""
    groups = pool.components > 1
    notes = (*_notes(groups), *([_PROVISIONAL] if any(row.provisional for row in pool.rows) else []))
    columns = (*_PLACES, number("ranks"), number("matches"), *_group(groups))
    table = FittedTable(f"Elo · {pool.game}, {pool.variant}", columns, notes)
    for row in pool.rows:
        table.add(
            str(row.rank),
            _entry(row),
            _elo(row) + ("?" if row.provisional else " "),
            _ranks(row),
            str(row.matches),
            *([str(row.component + 1)] if groups else []),
        )
    return table


def minute(at: float) -> str:
    """Write a time to the minute, UTC."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def fitted(rows: Sequence[Rated], matches: Mapping[str, int]) -> FittedTable:
    """Draw the table of ratings that were fitted to a file of results."""
    groups = len({row.component for row in rows}) > 1
    columns = (*_PLACES, number("ranks"), number("matches"), *_group(groups))
    table = FittedTable("Elo", columns, _notes(groups))
    for row, rank in zip(rows, ranks([(row.component, row.elo) for row in rows]), strict=True):
        table.add(
            str(rank),
            row.name,
            _elo(row),
            _ranks(row),
            str(matches[row.name]),
            *([str(row.component + 1)] if groups else []),
        )
    return table


_PLACES = (number("#"), name("bot"), number("Elo ±"))


def _group(groups: bool) -> Iterator[Column]:  # noqa: FBT001 - whether there are several
    if groups:
        yield number("group")


def _notes(groups: bool) -> tuple[str, ...]:  # noqa: FBT001 - as above
    return (_CERTAIN, _APART) if groups else (_CERTAIN,)


def _elo(row: StandingRow | RatingRow | Rated) -> str:
    """Write an Elo and its error as the pages do: whole numbers, the error rounded up."""
    if row.elo is None:
        return "–"
    return f"{row.elo:.0f}".replace("-", "−") + (f" ± {ceil(row.error):3d}" if row.error is not None else "")


def _entry(row: StandingRow | RatingRow) -> str:
    return _bot(row.bot, row.version) + ("" if row.verified else ", unverified")


def _ranks(row: StandingRow | RatingRow | Rated) -> str:
    if row.rank_low is None:
        return ""
    return str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


def _bot(bot: str, version: str) -> str:
    # A bot that runs elsewhere chooses the text itself.
    return f"{bot}@{version}"


def _cell(cell: CrosstableCell | None) -> str:
    return "·" if cell is None else f"{cell.points:g}/{cell.wins + cell.draws + cell.losses}"

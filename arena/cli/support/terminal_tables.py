"""Tables in the terminal: standings, crosstable, Elo."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from rich import box
from rich.filesize import decimal
from rich.table import Table

from arena.accounts.tokens import TokenRow
from arena.accounts.users import UserRow
from arena.bot_registry.bot_names import called
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

_WIDEST_CROSSTABLE = 12
CERTAIN = (
    "± is the half width of the 95 % interval, relative to the mean; ranks are those that it may really have"
)
APART = "Bots of different groups never met: their Elo are not compared."


def listing(rows: Sequence[ListedTournament]) -> Table:
    """Draw the list of tournaments."""
    table = _table("Tournaments")
    table.add_column("id", justify="right")
    for column in ("name", "game", "format", "state"):
        table.add_column(column)
    table.add_column("matches", justify="right")
    table.add_column("won by")
    for row in rows:
        matches = f"{row.matches_done} of {row.matches_total}"
        table.add_row(
            str(row.id),
            row.name,
            f"{row.game} ({row.variant})",
            row.format,
            row.state,
            matches,
            ", ".join(row.winners or ()),
        )
    return table


def sizes(tables: tuple[TableSize, ...]) -> Table:
    """Draw the sizes of a store's tables, their sum, and what it comes to for each match with a result."""
    drawn = _table("Store")
    drawn.add_column("table")
    for column in ("rows", "size", "share"):
        drawn.add_column(column, justify="right")
    total = sum(size.size_bytes or 0 for size in tables)
    for size in tables:
        taken = (
            ()
            if size.size_bytes is None
            else (decimal(size.size_bytes), f"{size.size_bytes / max(1, total):.1%}")
        )
        drawn.add_row(size.table, f"{size.rows:,}", *taken)
    matches = next(size.rows for size in tables if size.table == MatchResult.__tablename__)
    if total:
        drawn.add_section()
        drawn.add_row("all", "", decimal(total), "")
        if matches:
            drawn.caption = f"{total / matches:,.0f} bytes for each of {matches:,} matches"
    return drawn


def ladders(rows: Sequence[LadderRow]) -> Table:
    """Draw the list of ladders."""
    table = _table("Ladders")
    for column in ("id", "pool", "seats", "state", "priority", "epochs", "tournament"):
        table.add_column(column, justify="left" if column in {"pool", "state"} else "right")
    for row in rows:
        last = "" if row.tournament is None else str(row.tournament)
        table.add_row(
            str(row.id), row.pool, str(row.seats), row.state, str(row.priority), str(row.epochs), last
        )
    return table


def bots(rows: Sequence[Bot]) -> Table:
    """Draw the list of bots; the version of one that runs elsewhere is unverified."""
    table = _table("Bots", "game", "bot", "plays", "source", "state", "owner")
    for row in rows:
        says = f", says it is {row.declared}" if row.declared not in {None, row.version} else ""
        source = row.source if row.verified else f"{row.source}, unverified{says}"
        plays = _plays(row.game, row.plays)
        table.add_row(row.game, _bot(row.bot, row.version), plays, source, row.state, row.owner or "")
    return table


def _plays(game: str, plays: Mapping[str, Sequence[int]]) -> str:
    """Return what a bot plays, in words; `all` if that is every table of its game."""
    everything = declared_tables.ALL.of_game(game)
    return (
        "all"
        if {variant: tuple(counts) for variant, counts in plays.items()} == everything
        else declared_tables.words(plays)
    )


def versions(rows: Sequence[VersionRow]) -> Table:
    """Draw the versions of a bot of one's own."""
    table = _table("Versions", "bot", "game", "source", "state", "made (UTC)")
    for row in rows:
        made = minute(row.created_at)
        table.add_row(_bot(row.bot, row.version), row.game, row.source, row.state, made)
    return table


def challenge(rows: Sequence[ListedMatch]) -> Table:
    """Draw the matches of a challenge."""
    table = _table("Challenge", "match", "end", "seats, with places and scores")
    for row in rows:
        seats = [
            f"{_bot(seat.bot, seat.version)} {seat.place or '–'}. ({'–' if seat.score is None else seat.score})"
            for seat in row.seats
        ]
        table.add_row(row.id, row.end or row.state, ", ".join(seats))
    return table


def logs(rows: Sequence[LogRow]) -> Table:
    """Draw the last matches of a bot of one's own."""
    table = _table("Matches, the newest first; times in milliseconds", "match", "version", "seat", "end")
    for column in ("place", "decisions", "all", "slowest", "bytes printed"):
        table.add_column(column, justify="right")
    for row in rows:
        end = f"its fault: {row.fault}" if row.fault else row.end
        counts = (str(row.place), str(row.decisions), f"{row.total_ms:.1f}", f"{row.longest_ms:.1f}")
        table.add_row(row.id, row.version, str(row.seat), end, *counts, str(row.printed))
    return table


def users(rows: Sequence[UserRow]) -> Table:
    """Draw the list of users."""
    table = _table("Users", "name", "role", "password")
    table.add_column("tokens", justify="right")
    for row in rows:
        table.add_row(row.name, row.role, "yes" if row.has_password else "none", str(row.tokens))
    return table


def tokens(rows: Sequence[TokenRow]) -> Table:
    """Draw the list of one's tokens."""
    table = _table("Tokens", "id", "label", "scopes", "made (UTC)", "last used (UTC)", "expires (UTC)")
    for row in rows:
        times = [
            "never" if at is None else minute(at) for at in (row.created_at, row.used_at, row.expires_at)
        ]
        table.add_row(row.id, row.label, ", ".join(row.scopes), *times)
    return table


def standings(page: TournamentPage) -> Table:
    """Draw the standings of a tournament and, if they are few enough, who did how against whom."""
    table = _table(page.name)
    crosses = len(page.standings) <= _WIDEST_CROSSTABLE
    groups = len({row.component for row in page.standings}) > 1
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "±", "ranks", "matches", "points", "+", "=", "−", "faults"):
        table.add_column(column, justify="right")
    if groups:
        table.add_column("group", justify="right")
    table.caption = "\n".join([CERTAIN, *([APART] if groups else [])])
    for row in page.standings if crosses else ():
        table.add_column(called(row, page.standings), justify="right")
    crosstable = page.crosstable if crosses else ((),) * len(page.standings)
    for row, cells in zip(page.standings, crosstable, strict=True):
        table.add_row(
            str(row.rank),
            _entry(row),
            "" if row.elo is None else f"{row.elo:.1f}",
            "" if row.error is None else f"{row.error:.1f}",
            _ranks(row),
            str(row.matches),
            f"{row.points:g}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            str(row.faults),
            *([str(row.component + 1)] if groups else []),
            *map(_cell, cells),
        )
    return table


def elo(pool: RatingTable) -> Table:
    """Draw the Elo table of a pool."""
    table = _table(f"Elo · {pool.game}, {pool.variant}")
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "±", "ranks", "matches"):
        table.add_column(column, justify="right")
    if pool.components > 1:
        table.add_column("group", justify="right")
    captions = [CERTAIN, *([APART] if pool.components > 1 else [])]
    if any(row.provisional for row in pool.rows):
        captions.append("? provisional: fewer than 30 matches, or an error of 100 or more")
    table.caption = "\n".join(captions)
    for row in pool.rows:
        table.add_row(
            str(row.rank),
            _entry(row),
            f"{row.elo:.1f}{'?' if row.provisional else ''}",
            f"{row.error:.1f}",
            _ranks(row),
            str(row.matches),
            *([str(row.component + 1)] if pool.components > 1 else []),
        )
    return table


def minute(at: float) -> str:
    """Write a time to the minute, UTC."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def fitted(rows: Sequence[Rated], matches: Mapping[str, int]) -> Table:
    """Draw the table of ratings that were fitted to a file of results."""
    groups = len({row.component for row in rows}) > 1
    table = _table("Elo")
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "±", "matches", "ranks", *(["group"] if groups else [])):
        table.add_column(column, justify="right")
    table.caption = "\n".join([CERTAIN, *([APART] if groups else [])])
    for row, rank in zip(rows, ranks([(row.component, row.elo) for row in rows]), strict=True):
        table.add_row(
            str(rank),
            row.name,
            f"{row.elo:.1f}",
            f"{row.error:.1f}",
            str(matches[row.name]),
            _ranks(row),
            *([str(row.component + 1)] if groups else []),
        )
    return table


def _table(title: str, *columns: str) -> Table:
    return Table(*columns, title=title, title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD)


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

"""Tables in the terminal: standings, crosstable, Elo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from arena.ratings.table import Rated
from arena.services.bots import BotVersion
from arena.services.pages import CrosstableCell, RatingTable, TournamentPage, TournamentRow
from arena.services.standings import ranks

_WIDEST_CROSSTABLE = 12
_PIPE_WIDTH = 160
APART = "Bots of different groups never met: their Elo are not compared."


def print_table(table: Table) -> None:
    """Print a table: as wide as the terminal, and whole in a pipe."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    console.print(table)


def listing(rows: tuple[TournamentRow, ...]) -> Table:
    """Draw the list of tournaments."""
    table = _table("Tournaments")
    for column, justify in (("id", "right"), ("name", "left"), ("game", "left"), ("state", "left")):
        table.add_column(column, justify="right" if justify == "right" else "left")
    table.add_column("matches", justify="right")
    for row in rows:
        matches = f"{row.matches_done} of {row.matches_total}"
        table.add_row(str(row.id), row.name, f"{row.game} ({row.variant})", row.state, matches)
    return table


def bots(rows: tuple[BotVersion, ...]) -> Table:
    """Draw the list of bots: where each is, for those that run elsewhere."""
    table = _table("Bots")
    for column in ("game", "bot", "source", "program or address"):
        table.add_column(column)
    for row in rows:
        table.add_row(row.game, _bot(row.bot, row.version), row.source, row.program)
    return table


def standings(page: TournamentPage) -> Table:
    """Draw the standings of a tournament and, if they are few enough, who did how against whom."""
    table = _table(page.name)
    crosses = len(page.standings) <= _WIDEST_CROSSTABLE
    groups = len({row.component for row in page.standings}) > 1
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "matches", "points", "+", "=", "−", "faults"):
        table.add_column(column, justify="right")
    if groups:
        table.add_column("group", justify="right")
        table.caption = APART
    for row in page.standings if crosses else ():
        table.add_column(row.bot, justify="right")
    for row, cells in zip(page.standings, page.crosstable, strict=True):
        table.add_row(
            str(row.rank),
            _bot(row.bot, row.version),
            "" if row.elo is None else f"{row.elo:.1f}",
            str(row.matches),
            f"{row.points:g}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            str(row.faults),
            *([str(row.component + 1)] if groups else []),
            *(map(_cell, cells) if crosses else ()),
        )
    return table


def elo(pool: RatingTable) -> Table:
    """Draw the Elo table of a pool."""
    table = _table(f"Elo · {pool.game}, {pool.variant}")
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "matches"):
        table.add_column(column, justify="right")
    if pool.components > 1:
        table.add_column("group", justify="right")
    captions = [APART] if pool.components > 1 else []
    if any(row.provisional for row in pool.rows):
        captions.append("? provisional: few matches yet")
    table.caption = "\n".join(captions) or None
    for row in pool.rows:
        table.add_row(
            str(row.rank),
            _bot(row.bot, row.version),
            f"{row.elo:.1f}{'?' if row.provisional else ''}",
            str(row.matches),
            *([str(row.component + 1)] if pool.components > 1 else []),
        )
    return table


def fitted(rows: Sequence[Rated], matches: Mapping[str, int]) -> Table:
    """Draw a table that was fitted to somebody's results."""
    groups = len({row.component for row in rows}) > 1
    table = _table("Elo")
    table.add_column("#", justify="right")
    table.add_column("bot")
    for column in ("Elo", "±", "matches", "ranks", *(["group"] if groups else [])):
        table.add_column(column, justify="right")
    table.caption = "\n".join(
        ["± is the half width of the 95 % interval, relative to the mean", *([APART] if groups else [])]
    )
    for row, rank in zip(rows, ranks([(row.component, row.elo) for row in rows]), strict=True):
        table.add_row(
            str(rank),
            row.name,
            f"{row.elo:.1f}",
            f"{row.error:.1f}",
            str(matches[row.name]),
            str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}",
            *([str(row.component + 1)] if groups else []),
        )
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD)


def _bot(bot: str, version: str) -> str:
    return f"{bot}@{version}"


def _cell(cell: CrosstableCell | None) -> str:
    return "·" if cell is None else f"{cell.points:g}/{cell.wins + cell.draws + cell.losses}"

"""`arena dataset`: the decisions of recorded matches as a data set."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from arena.cli.learning.extra_packages import needs
from arena.cli.support.output import echo
from arena.core.errors import UsageError

_EXAMPLES = """\b
Examples:
  arena dataset records --out decisions.parquet
  arena dataset tournament.zip --out tournament.parquet
"""


@click.command(epilog=_EXAMPLES)
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RECORDS|EXPORT.zip..."
)
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The Parquet file.",
)
def command(*, paths: tuple[Path, ...], out: Path) -> None:
    """Write the decisions of recorded matches as a data set.

    Each decision is a row, with the view that the seat had.  RECORDS are files of one game, or folders of them; EXPORT.zip is what
    `arena tournament export --format zip` writes.  A card in Markdown is written next to the file.
    """
    with needs("data"):
        from arena.rl import data_card  # noqa: PLC0415 - a package that need not be installed
        from arena.rl.decision_rows import DecisionFile, to_table  # noqa: PLC0415
    from arena.rl.match_records import read_records  # noqa: PLC0415
    from arena.rl.recorded_decisions import decisions_of  # noqa: PLC0415

    records = read_records(paths)
    first, noted = next(records)
    bots: set[str] = set()
    with DecisionFile(out, first.game, {"source": ", ".join(path.name for path in paths)}) as file:
        for record, noted_in_it in chain([(first, noted)], records):
            if record.game != first.game:
                raise UsageError(
                    f"record {record.match}: is of {record.game}, the ones before are of {first.game}"
                )
            bots |= {f"{seat.bot}@{seat.version}" for seat in record.seats}
            file.write(to_table(decisions_of(record, noted_in_it)), 1)
    data_card.write_card(
        out,
        first.game,
        file,
        source=f"Its matches are those recorded in {', '.join(path.name for path in paths)}; each has the seed that it was dealt from.",
        facts=[("bots", ", ".join(sorted(bots)))],
    )
    echo(f"{out}: {file.rows} decisions of {file.matches} matches; its card is {data_card.card_of(out).name}")

"""`arena selfplay`: plays matches in bulk and writes their decisions."""

from __future__ import annotations

import os
from pathlib import Path

import click

from arena.cli.learning.extra_packages import needs
from arena.cli.match.progress_meter import Meter
from arena.cli.support.game_options import game_options, read_options
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.scheduling import seeds

_EXAMPLES = """\b
Examples:
  arena selfplay lost_cities --bots greedy,cautious --matches 100000 --out lost_cities.parquet
  arena selfplay land_unter --bots greedy,greedy,my_bot.py --matches 1000 --out shard.parquet --jobs 2
"""


@click.command(epilog=_EXAMPLES)
@click.argument("game")
@click.option(
    "--bots", required=True, metavar="BOT,BOT…", help="House bots, or Python files: one for each seat."
)
@click.option(
    "--matches",
    default=1000,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Matches to play.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The Parquet file.",
)
@click.option("--variant", metavar="VARIANT", help="The variant.  [default: the game's first]")
@game_options
@click.option(
    "--seed",
    default="00" * 32,
    metavar="HEX",
    help="64 hex digits that all chance follows from.  [default: zeros]",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that play.  [default: one per core]",
)
def command(
    *,
    game: str,
    bots: str,
    matches: int,
    out: Path,
    variant: str | None,
    options: tuple[str, ...],
    seed: str,
    jobs: int | None,
) -> None:
    """Play matches in bulk, and write their decisions as data.

    The bots play in this program's own processes, without a referee, a sandbox or clocks: play only bots that you trust.  From one
    match to the next every bot moves on by one seat.  The same seed gives the same file, on however many cores; bots that search do so for
    a fixed number of iterations (ARENA_SEARCH_ITERATIONS, 100 if it is not set).  A card in Markdown is written next to the file.
    """
    with needs("data"):
        from arena.rl import data_card, selfplay  # noqa: PLC0415 - a package that need not be installed
        from arena.rl.decision_rows import DecisionFile  # noqa: PLC0415
    plan = selfplay.Selfplay(
        game=game,
        bots=tuple(bots.split(",")),
        seed=seeds.parse_secret(seed, "seed"),
        matches=matches,
        variant=variant,
        options=read_options(options),
    )
    selfplay.check(plan)
    if not out.parent.is_dir():
        raise UsageError(f"out {str(out)!r}: there is no folder {str(out.parent)!r}")
    interruption = Interruption()
    with DecisionFile(out, game, {"seed": plan.seed.hex(), "bots": bots}) as file:
        with interruption.catching(), Meter(matches) as meter:
            selfplay.write(plan, file, jobs or os.cpu_count() or 1, meter.reach)
        done = f"{file.matches} of {matches} matches are written"
        if not file.matches:
            interruption.end(done, same_command())
    chosen = " ".join([f"--option {each}" for each in options])
    again = f"arena selfplay {game} --bots {bots} --matches {file.matches} --seed {seed} {chosen}".strip()
    data_card.write_card(
        out,
        game,
        file,
        source="Its matches were played between bots of one machine, without clocks.",
        facts=[
            ("made by", f"`{again}{f' --variant {variant}' if variant else ''}`"),
            ("bots", bots),
            ("seed", f"`{seed}`"),
        ],
    )
    echo(f"{out}: {file.rows} decisions of {file.matches} matches; its card is {data_card.card_of(out).name}")
    interruption.end(done, same_command())

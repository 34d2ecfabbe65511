"""`arena bot ci`: one command for the continuous integration of a bot's repository."""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from arena.bundle_format.bundle import read_upload
from arena.cli.bot import weights_upload
from arena.cli.bot.author_commands import wait_for_verdict
from arena.cli.bot.check_command import read_candidate, run_check
from arena.cli.bot.ci_opponent import Opponent, find_opponent
from arena.cli.bot.ci_report import ExitCode, Report, TestOfGame
from arena.cli.match.contenders import Contender, read_contender
from arena.cli.match.contest import Contest
from arena.cli.match.home_referee import HomeReferee
from arena.cli.match.match_tally import Played
from arena.cli.match.progress_meter import Meter
from arena.cli.match.version_test import play_test, summarize
from arena.cli.support.game_options import time_option
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.output import echo
from arena.client import RemoteArena, check_url
from arena.client.logins import find
from arena.core.errors import ArenaError, UsageError
from arena.core.settings import settings
from arena.devtools import upload_file
from arena.devtools.findings import Finding
from arena.devtools.project import read_project
from arena.games import registry
from arena.match.clock import TimeControl, parse_time_control
from arena.net.header_secret import clean_secret
from arena.ratings.sprt import MIN_SETS, Sprt, check_sets
from arena.referee_client import local_referee
from arena.scheduling import seeds
from arena.scheduling.stop_rules import parse as parse_stop

_STANDARD_BOUNDS = "-50,0"
_STANDARD_SETS = 400
"""With these 3 of 100 tests of equally strong versions are undecided; they take 140 sets on average (`tests/ratings/test_sprt_price.py`)."""
_URL = "ARENA_URL"
_TOKEN = "ARENA_API_TOKEN"  # noqa: S105 - the name of a variable
_CHECK_MATCHES = 2


@dataclass(frozen=True, slots=True)
class _Wish:
    """Task of a run: a project, and how it is tested."""

    folder: Path
    games: tuple[str, ...]
    against: str | None
    sprt: Sprt
    sets: int
    time: TimeControl
    seed: bytes
    sandbox: bool
    submits: bool
    quiet: bool


@click.command("ci")
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="[FOLDER]", default="."
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="Test in this game only; may be given several times.",
)
@click.option(
    "--against",
    metavar="BOT",
    help="`active`, the active version at the arena; git:REVISION; or a bot as for `arena match`."
    "  [default: active, else in a pull request its target branch, else greedy]",
)
@click.option(
    "--sprt",
    "bounds",
    default=_STANDARD_BOUNDS,
    show_default=True,
    metavar="ELO0,ELO1",
    help="It is worse if the difference is ELO0, not worse if it is ELO1.",
)
@click.option(
    "--sets",
    default=_STANDARD_SETS,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help=f"The most sets in each game, {MIN_SETS} or more.",
)
@time_option()
@click.option("--seed", metavar="HEX", help="64 hex digits that all chance follows from.  [default: random]")
@click.option("--sandbox", is_flag=True, help="Run the bots as the arena does, each in a sandbox of its own.")
@click.option(
    "--submit/--no-submit",
    "submits",
    default=None,
    help="Submit it if nothing is wrong with it.  [default: on a tag]",
)
@click.option(
    "--summary",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="GITHUB_STEP_SUMMARY",
    metavar="FILE",
    help="Add the result to this file, as Markdown.  [default: $GITHUB_STEP_SUMMARY]",
)
@click.option(
    "--comment",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the result into this file, as Markdown, for a comment on a pull request.",
)
@click.option(
    "--arena",
    "url",
    envvar=_URL,
    metavar="URL",
    help=f"The arena, with a token in {_TOKEN} or from `arena login`.  [default: ${_URL}]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document in place of the Markdown.")
def command(
    *,
    folder: Path,
    games: tuple[str, ...],
    against: str | None,
    bounds: str,
    sets: int,
    time: str,
    seed: str | None,
    sandbox: bool,
    submits: bool | None,
    summary: Path | None,
    comment: Path | None,
    url: str | None,
    as_json: bool,
) -> None:
    """Check, test and submit a bot in continuous integration.

    FOLDER is a project (`arena bot new`), by default this one.  It is checked as by `arena bot check`.  Then it plays sets against its active
    version in each of its games until it is certain that it is worse, or that it is not (SPRT).  Without an active version a house bot is played
    as a measure, which fails nothing.  With the defaults a test of equally strong versions takes 140 sets (280 matches at two seats) on average,
    and 3 in 100 are undecided.  The only network connections are to the arena.

    Exit code 0: better, not worse, or not shown to be worse.  1: worse.  2: broken (the check has failed, it has ended a match by a fault other
    than a timeout, it has failed its qualification), or the command could not be carried out.

    \b
    Examples:
      arena bot ci
      arena bot ci my-bot --against git:v1.2 --sets 100
      ARENA_API_TOKEN=… arena bot ci --arena https://arena.example.org --submit --comment result.md
    """
    try:
        check_sets(sets)
        wish = _Wish(
            folder=folder,
            games=_games(folder, games),
            against=against,
            sprt=_read_bounds(bounds),
            sets=sets,
            time=parse_time_control(time),
            seed=seeds.parse_secret(seed, "seed") if seed else secrets.token_bytes(seeds.SECRET_BYTES),
            sandbox=sandbox,
            submits=_is_tag() if submits is None else submits,
            quiet=as_json,
        )
        with _arena(url) as arena:
            report = _run(wish, arena, interruption := Interruption())
        text = report.to_markdown()
        if summary is not None:
            with summary.open("a", encoding="utf-8") as file:
                file.write(text)
        if comment is not None:
            comment.write_text(text, encoding="utf-8")
    except (ArenaError, OSError) as error:  # exit code 1 would say that the bot is worse
        echo(f"arena: {error}", err=True)
        sys.exit(ExitCode.BROKEN)
    echo(json.dumps(report.to_document(), indent=2, ensure_ascii=False) if as_json else text, nl=as_json)
    matches = sum(test.result.matches for test in report.tests)
    interruption.end(f"{matches} matches are played", same_command(wish.seed))
    sys.exit(report.exit_code)


def _games(folder: Path, wanted: tuple[str, ...]) -> tuple[str, ...]:
    games = read_project(folder).games
    for game in wanted:
        if game not in games:
            raise UsageError(f"game {game!r}: the project's bot.toml names {', '.join(games)}")
    return wanted or games


def _read_bounds(text: str) -> Sprt:
    found = parse_stop(f"sprt:{text}")
    if not isinstance(found, Sprt):
        raise UsageError(f"sprt {text!r}: must be ELO0,ELO1, such as {_STANDARD_BOUNDS}")
    return found


def _is_tag() -> bool:
    """Return whether this is a run for a tag: on GitHub, Gitea and Forgejo, or on GitLab and Woodpecker."""
    return os.environ.get("GITHUB_REF_TYPE") == "tag" or bool(os.environ.get("CI_COMMIT_TAG"))


@contextmanager
def _arena(url: str | None) -> Iterator[RemoteArena | None]:
    """Connect to the arena if one is named, with the token of the environment or of `arena login`.

    Without a token there is none: pull requests from elsewhere are not given the secrets of a repository.
    """
    token = clean_secret(os.environ.get(_TOKEN, ""), _TOKEN)
    if not url or (not token and "CI" in os.environ):
        yield None
    elif token:
        with RemoteArena(check_url(url), token, roots=settings().ca) as arena:
            yield arena
    else:
        login = find(check_url(url))
        with RemoteArena(login.url, login.token, roots=settings().ca) as arena:
            yield arena


def _run(wish: _Wish, arena: RemoteArena | None, interruption: Interruption) -> Report:
    if wish.submits and arena is None:
        raise UsageError(f"submit: name the arena with --arena or {_URL}, and put a token into {_TOKEN}")
    report = Report(read_project(wish.folder).name, (), wish.sprt)
    with interruption.catching(), tempfile.TemporaryDirectory() as place:
        opponents = {game: _opponent(wish, arena, game, Path(place)) for game in wish.games}
        report = replace(report, findings=tuple(_check(wish)))
        if report.exit_code is ExitCode.FINE:
            with local_referee(ca=settings().ca, sandbox="on" if wish.sandbox else "off") as address:
                for game, opponent in opponents.items():
                    test = _test(wish, game, opponent, address, interruption)
                    report = replace(report, tests=(*report.tests, test))
                    if interruption.came is not None:
                        break
        if (
            wish.submits
            and arena is not None
            and report.exit_code is ExitCode.FINE
            and interruption.came is None
        ):
            report = replace(report, submitted=_submit(wish.folder, arena))
    return replace(report, interrupted_by=interruption.came)


def _check(wish: _Wish) -> list[Finding]:
    candidate = read_candidate(str(wish.folder), wish.games, _CHECK_MATCHES)
    return run_check(candidate, wish.folder, None, quiet=True)


def _opponent(wish: _Wish, arena: RemoteArena | None, game: str, place: Path) -> Opponent:
    (place / game).mkdir()
    mine = read_contender(game, str(wish.folder))
    return find_opponent(arena, game, mine, wish.folder, wish.against, place / game)


def _test(wish: _Wish, game: str, opponent: Opponent, address: str, interruption: Interruption) -> TestOfGame:
    """Play a test in one game; one that is broken off has the matches that were played until then."""
    mine = read_contender(game, str(wish.folder))
    rules = registry.find(game)
    seats = min(next(iter(rules.variants.values())))
    copies: list[Contender] = [replace(opponent.contender, copy=number) for number in range(seats - 1)]
    contest = Contest(
        game=game,
        setup=rules.setup(seats),
        time=wish.time,
        seed=wish.seed,
        contenders=(mine, *copies),
    )
    if wish.sandbox:
        contest = contest.as_submitted()
    if not wish.quiet:
        echo(
            f"{game}: {mine.bot} against {opponent.label}, at most {wish.sets} sets ({seats * wish.sets} matches)",
            err=True,
        )
    meter = Meter(seats * wish.sets, says_lines=not wish.quiet)
    played: list[Played] = []
    with interruption.catching():
        interruption.run(play_test(HomeReferee(address), contest, wish.sets, wish.sprt, meter, played))
    return TestOfGame(game, opponent.label, opponent.is_measure, summarize(played, wish.sprt))


def _submit(folder: Path, arena: RemoteArena) -> tuple[tuple[str, str], ...]:
    """Submit a project, and wait for the verdicts; versions and what came of them."""
    data, filename = upload_file.read(folder)
    weights_upload.send(arena, weights_upload.find(folder, read_upload(data, filename).manifest))
    rows = [wait_for_verdict(arena, row) for row in arena.bots.submit(data, filename=filename)]
    return tuple((f"{row.bot}@{row.version} of {row.game}", row.state) for row in rows)

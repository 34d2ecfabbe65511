"""`arena bot check`: whether the arena would let a bot play."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from arena.bundle_format.bundle import read_upload
from arena.bundle_format.program_kind import ELF
from arena.cli.match.contenders import read_contender
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.errors import Refusal, UsageError
from arena.core.settings import settings
from arena.declarations import declared_tables
from arena.devtools import upload_file
from arena.devtools.bot_check import Candidate, check, check_hello
from arena.devtools.findings import Finding, Verdict, is_full, judge_sandbox
from arena.devtools.home_uploads import Upload, read_project_upload, supplied
from arena.devtools.project import is_project, read_project
from arena.devtools.record_files import make_folder, write_record
from arena.games import registry
from arena.referee_client import Endpoint, Hosted, local_referee


@click.command("check")
@click.argument("bot", metavar="NAME")
@click.option(
    "--game", "games", multiple=True, metavar="GAME", help="Check this game only; may be given several times."
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="VARIANT",
    help="Check this variant only; may be given several times.",
)
@click.option(
    "--matches",
    default=2,
    show_default=True,
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Matches of each kind.",
)
@click.option(
    "--records", type=click.Path(path_type=Path), metavar="DIR", help="Write the record of each match there."
)
@json_option
def command(
    *,
    bot: str,
    games: tuple[str, ...],
    variants: tuple[str, ...],
    matches: int,
    records: Path | None,
    as_json: bool,
) -> None:
    """Check a bot as the arena will, and say what is wrong.

    A NAME is what `arena match` takes.  What would be submitted is read as the arena reads it.  The bot is started and says Hello; if nothing is wrong so far, it
    plays against `random` at every table that it declares (every game, and of these the variants and numbers of seats that bot.toml or its Hello names), in the sandbox that a submission would get, where this machine has one.  Looked at are faults, speed, memory, talk, and whether
    a match can be played again.  The exit code is 1 if anything failed; warnings fail nothing.

    \b
    Examples:
      arena bot check my-bot
      arena bot check my_bot.py --game land_unter --records out
      arena bot check my-bot --variant lopaka
    """
    candidate = read_candidate(bot, games, matches, variants)
    if records is not None:
        make_folder(records)
    findings = run_check(candidate, Path(bot), records, quiet=as_json)
    failed = [finding for finding in findings if finding.verdict is Verdict.FAILED]
    if as_json:
        print_json({"bot": candidate.name, "ok": not failed, "findings": findings})
    elif not failed:
        echo(f"{candidate.name} is ready to play")
    else:
        echo(f"{candidate.name}: {len(failed)} failed{_advise(bot, findings, records)}")
    sys.exit(1 if failed else 0)


def _advise(bot: str, findings: list[Finding], records: Path | None) -> str:
    if all(finding.what in {"upload", "sandbox", "handshake"} for finding in findings):
        return ""  # no match was played
    if records is None:
        return f"; arena bot check {bot} --records DIR keeps the matches, so that you can look closer"
    return f"; to look closer: arena bot replay {records}/MATCH.json {bot}"


def read_candidate(
    bot: str, games: tuple[str, ...], matches: int, variants: tuple[str, ...] = ()
) -> Candidate:
    """Read what is to be checked.  Raises UsageError."""
    for game in games:
        registry.find(game)
    folder, declared = Path(bot), {}
    if is_project(folder):
        project = read_project(folder)
        games = games or project.games
        declared = {game: project.tables(game) for game in games}
    declared_tables.check(games or registry.GAMES, variants, ())
    if not games and not folder.exists() and ":" not in bot:
        raise UsageError(
            f"bot {bot!r}: must be a project's folder, a file such as my_bot.py, or HOST:PORT; or, with --game, a house bot"
        )
    contender = read_contender(games[0] if games else next(iter(registry.GAMES)), bot)
    source = contender.order(0, 1).source
    if not isinstance(source, Hosted | Endpoint) or source == Hosted(""):
        raise UsageError(f"bot {bot!r}: cannot be checked")
    return Candidate(contender.bot, source, games, matches, declared=declared, variants=variants)


def run_check(candidate: Candidate, path: Path, records: Path | None, *, quiet: bool) -> list[Finding]:
    """Check a bot, print what is found unless quiet, and write the records.  Raises UsageError, CannotCheck.

    What takes no match comes first: no match is played where that has failed.  They are played in the sandbox that a
    submission would get, if this machine has one and the bot could be submitted.
    """
    findings: list[Finding] = []

    def take(finding: Finding) -> None:
        findings.append(finding)
        if not quiet:
            echo(_write(finding))

    upload = None
    try:
        upload = read_own_upload(path, candidate.games)
    except Refusal as refusal:
        take(Finding("upload", Verdict.FAILED, str(refusal)))
    if upload is not None and _is_submitted(path, candidate.games):
        take(_judge_upload(upload))
    if findings and findings[0].verdict is Verdict.FAILED:
        asyncio.run(_take_all(check_hello(candidate), take))
        return findings
    with ExitStack() as stack:
        address = stack.enter_context(
            local_referee(ca=settings().ca, sandbox="off" if upload is None else "auto")
        )
        if upload is not None:
            protection = stack.enter_context(supplied(address, [upload]))
            take(judge_sandbox(protection))
            if is_full(protection):
                candidate = replace(candidate, upload=upload.bundle.program)
        texts: dict[str, str] = {}
        try:
            asyncio.run(_take_all(check(candidate, address, texts), take))
        finally:
            if records is not None:
                for match, text in texts.items():
                    write_record(records, match, text)
    return findings


async def _take_all(findings: AsyncIterator[Finding], take: Callable[[Finding], None]) -> None:
    async for finding in findings:
        take(finding)


def read_own_upload(path: Path, games: tuple[str, ...]) -> Upload | None:
    """Read what would be submitted as the arena reads it; None for a bot that is not hosted.  Raises Refusal, UsageError."""
    if path.is_dir():
        return read_project_upload(path)
    if not path.is_file() or not _is_uploaded_alone(path):
        return None
    game = games[0] if games else next(iter(registry.GAMES))
    name = None if _is_submitted(path, games) else "bot"
    return Upload(read_upload(*upload_file.read(path), game=game, name=name))


def _is_submitted(path: Path, games: tuple[str, ...]) -> bool:
    """Return whether a bot could be submitted by this name: of a file, only if it is clear what it plays."""
    return path.is_dir() or len(games) == 1


def _judge_upload(upload: Upload) -> Finding:
    manifest = upload.bundle.manifest
    said = f"{manifest.name}, {len(upload.bundle.data):,} bytes"
    if upload.weights:
        said += f", and {sum(each.size for each in upload.weights):,} bytes of weights"
    if not manifest.requires:
        return Finding("upload", Verdict.OK, said)
    return Finding(
        "upload",
        Verdict.WARNING,
        f"{said}; it needs {', '.join(manifest.requires)}",
        "an arena has only the packages that its operator has installed and allowed; ask there",
    )


def _is_uploaded_alone(file: Path) -> bool:
    with file.open("rb") as opened:
        return file.suffix == ".py" or opened.read(len(ELF)) == ELF


def _write(finding: Finding) -> str:
    lines = [f"{finding.verdict:8}{finding.what}: {finding.text}".replace("\n", "\n          ")]
    if finding.remedy:
        lines.append(f"          {finding.remedy}")
    return "\n".join(lines)

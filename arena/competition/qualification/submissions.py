"""Submissions: uploads become versions of their author's bots, which qualify, are withdrawn and restored.

    submit ──▶ waiting ──▶ active ──▶ superseded        by the next version that qualifies
                  │           └─────▶ withdrawn         by its author; `restore` makes either active again
                  └──▶ failed                           `restore` has it tried once more

Versions that run elsewhere (`arena.competition.qualification.declared_versions`) are withdrawn and restored in the same way; they qualify when they are there
(`arena.competition.qualification.arrivals`).

Everything of a submission is written in one transaction: the bundle, a version of each game's bot, its qualification.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots, hosted_offer, quotas, stored_bundles, stored_weights, variant_suspensions
from arena.bot_registry.bot_version import BotVersion
from arena.bot_registry.stored_weights import WeightsLimits
from arena.bundle_format import bundle, manifest, sandbox_errors
from arena.bundle_format.bundle import Bundle
from arena.bundle_format.program_kind import ProgramKind
from arena.bundle_format.sandbox_errors import SandboxLimits
from arena.competition import trial_kinds
from arena.competition.qualification import trials, verdicts
from arena.core import request_origin
from arena.core.answer_fields import GameId, OwnBotName, Plays, Source, SuspendedIn, UtcTime, VersionName
from arena.core.errors import Refusal, RefusalKind
from arena.core.settings import Settings
from arena.core.translatable import mark, say
from arena.declarations import declared_tables
from arena.storage import Store
from arena.storage.schema import Bot, Version


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of the operator for authors: the packages that uploads may require (normal names), their kinds, quotas, private endpoints."""

    packages: frozenset[str] = frozenset()
    submissions_per_day: int = 50
    challenges_per_day: int = 100
    private_endpoints: bool = False
    bots_per_author: int = quotas.MAX_BOTS
    upload_mib_per_author: int = quotas.MAX_MIB
    kinds: frozenset[ProgramKind] = frozenset(ProgramKind)
    comparisons_per_day: int = 10
    weights: WeightsLimits = stored_weights.STANDARD
    sandbox: SandboxLimits = sandbox_errors.STANDARD

    @classmethod
    def of(cls, settings: Settings) -> Rules:
        """Read them from the settings."""
        return cls(
            hosted_offer.allowed_packages(settings),
            settings.submissions_per_day,
            settings.challenges_per_day,
            settings.private_endpoints,
            settings.bots_per_author,
            settings.upload_mib_per_author,
            hosted_offer.offered_kinds(settings.program_kinds),
            settings.comparisons_per_day,
            WeightsLimits(settings.weights_mib, settings.weights_mib_per_author),
            hosted_offer.sandbox_limits(settings),
        )


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version, as its owner sees it."""

    game: GameId
    bot: OwnBotName
    version: VersionName
    source: Source
    state: Annotated[
        str,
        Field(
            description="waiting (for its qualification), failed, active, superseded or withdrawn; only active ones can be entered.",
            examples=["waiting"],
        ),
    ]
    reason: Annotated[
        str | None,
        Field(
            description="Why it failed its qualification, or why what the bot says it is did not become its version."
        ),
    ]
    trial: Annotated[int | None, Field(description="The tournament that is its last qualification.")]
    created_at: UtcTime
    plays: Plays
    suspended_in: SuspendedIn
    files_kept: Annotated[
        bool,
        Field(
            description="False of an upload whose files are deleted, since it is old and not in use: it cannot be brought back."
        ),
    ]


def check_quotas(store: Store, actor: Actor, rules: Rules) -> None:
    """Check that a user may submit at all now, before an upload is taken; `submit` counts once more.  Raises Refusal."""
    actor.require("bots")
    with store.read() as session:
        trials.check_quota(session, trial_kinds.QUALIFICATION, actor.name, 1, rules.submissions_per_day)
        quotas.check_any_room(session, actor, rules.upload_mib_per_author)


def submit(
    store: Store,
    actor: Actor,
    upload: Bundle,
    *,
    allowed: Collection[str],
    most: int,
    most_bots: int = quotas.MAX_BOTS,
    most_mib: int = quotas.MAX_MIB,
    kinds: Collection[ProgramKind] = frozenset(ProgramKind),
    weights: WeightsLimits = stored_weights.STANDARD,
) -> tuple[VersionRow, ...]:
    """Make an upload the newest version of its bot, in each game that its manifest names, and begin to qualify it.

    `allowed` are the packages that it may require, `most` the qualifications of one author in a day, `most_bots` the bots of
    one author in a game, `most_mib` the size of all uploads of one author, `kinds` the programs that the arena runs, `weights` what weights may have.  Raises Refusal.
    """
    actor.require("bots")
    said = upload.manifest
    manifest.check_offered(said, kinds)
    manifest.check_packages(said, allowed)
    with _adding(said.name), store.write() as session:
        quotas.lock(session, actor)
        trials.check_quota(session, trial_kinds.QUALIFICATION, actor.name, len(said.games), most)
        kept = stored_bundles.is_kept(session, upload.sha256)
        if not kept:
            quotas.check_bytes(session, actor, upload, most_mib)
        stored_bundles.keep(session, upload)
        stored_weights.keep(session, actor, upload, weights)
        rows = []
        for game in said.games:
            bot = _own_or_new(session, actor, game, said.name, most_bots)
            row = _add(session, bot, upload, kept=kept)
            found = bots.bot_version(row, bot, actor.name)
            tournament = trials.qualify(session, actor.name, found)
            audit_log.note(
                session,
                actor.name,
                "bot.submit",
                f"bot/{game}/{said.name}",
                version=row.version,
                sha256=upload.sha256,
            )
            rows.append(_row(row, bot, tournament))
        return tuple(rows)


def versions(store: Store, actor: Actor, game: str, name: str) -> tuple[VersionRow, ...]:
    """List the versions of one's own bot, the newest first.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        bot = bots.own(session, actor, game, name)
        query = select(Version).where(Version.bot_id == bot.id).order_by(Version.id.desc())
        rows = session.scalars(query).all()
        kept = stored_bundles.kept(session, {row.program for row in rows if row.source == bots.HOSTED})
        return tuple(
            _row(
                row,
                bot,
                trials.last_of(session, row.id),
                files_kept=row.program in kept or not _is_upload(row),
            )
            for row in rows
        )


def withdraw(store: Store, actor: Actor, game: str, name: str) -> VersionRow:
    """Take a version out of what can be entered: the active one, or the one that is named, `mine@2`.

    Tournaments that it is in already are played to their end.  Raises Refusal.
    """
    actor.require("bots")
    with store.write() as session:
        bot, row = _own_version(session, actor, game, name)
        _lock(session, bot, row)
        if row.state not in {bots.ACTIVE, bots.WAITING, bots.FAILED}:
            raise _wrong_state(
                bot,
                row,
                mark(
                    "only one that is active, waits for its qualification or has failed it can be withdrawn"
                ),
            )
        row.state = bots.WITHDRAWN
        audit_log.note(session, actor.name, "bot.withdraw", f"bot/{game}/{bot.name}", version=row.version)
        return _row(row, bot, trials.last_of(session, row.id))


def restore(
    store: Store, actor: Actor, game: str, name: str, *, most: int, most_bots: int = quotas.MAX_BOTS
) -> VersionRow:
    """Make a version active again: the newest, or the one that is named, `mine@2`.

    One that has not passed its qualification is tried again: now, or when it is there if it runs elsewhere.
    `most` and `most_bots` are as of `submit`.  Raises Refusal.
    """
    actor.require("bots")
    with store.write() as session:
        quotas.lock(session, actor)
        bot, row = _own_version(session, actor, game, name)
        _lock(session, bot, row)
        if row.suspensions is not None and "admin" in actor.scopes:
            row.suspensions = None
            if row.state == bots.ACTIVE:
                audit_log.note(
                    session, actor.name, "bot.restore", f"bot/{game}/{bot.name}", version=row.version
                )
                return _row(row, bot, trials.last_of(session, row.id))
        if row.state in {bots.ACTIVE, bots.WAITING}:
            raise _wrong_state(bot, row, mark("there is nothing to restore"))
        if row.state == bots.SUSPENDED and "admin" not in actor.scopes:
            raise _wrong_state(bot, row, mark("fix it and submit it again, or ask an admin to restore it"))
        if bot.owner_id == actor.user_id and not quotas.is_counted(session, bot.id):
            quotas.check_bots(session, actor, game, bot.name, most_bots, new=False)
        stored_bundles.check_kept(session, bots.bot_version(row, bot, None))
        if row.qualified:
            verdicts.activate(session.connection(), bot.id, row.id, over_newer=True)
            session.refresh(row)
        else:
            row.state, row.reason = bots.WAITING, None
            session.flush()
            if row.source == bots.HOSTED and not trials.is_open(session, row.id):
                trials.check_quota(session, trial_kinds.QUALIFICATION, actor.name, 1, most)
                trials.qualify(session, actor.name, bots.bot_version(row, bot, actor.name))
        audit_log.note(session, actor.name, "bot.restore", f"bot/{game}/{bot.name}", version=row.version)
        return _row(row, bot, trials.last_of(session, row.id))


def find_own(session: Session, actor: Actor, game: str, name: str) -> BotVersion:
    """Find a version of one's own bot that can play: the active one, or a qualified one that is named.  Raises Refusal."""
    bot, row = _own_version(session, actor, game, name)
    if not row.qualified:
        raise _wrong_state(
            bot, row, mark("it plays once it has qualified; `arena bot version list` says why it has not")
        )
    found = bots.bot_version(row, bot, None)
    stored_bundles.check_kept(session, found)
    return found


def _own_version(session: Session, actor: Actor, game: str, name: str) -> tuple[Bot, Version]:
    bot = bots.own(session, actor, game, name)
    number = name.partition("@")[2]
    query = select(Version).where(Version.bot_id == bot.id)
    if number:
        query = query.where(Version.version == number)
    row = session.scalars(
        query.order_by((Version.state == bots.ACTIVE).desc(), Version.id.desc()).limit(1)
    ).one_or_none()
    if row is None:
        raise Refusal(
            "version_unknown",
            say(
                "bot {name!r}: has no such version; `arena bot version list {name2}` shows them",
                name=name[:80],
                name2=bot.name,
            ),
            field="bot",
            kind=RefusalKind.NOT_FOUND,
        )
    return bot, row


def _lock(session: Session, bot: Bot, row: Version) -> None:
    """Lock a bot's versions while the transaction lasts: a verdict may be stored at this moment."""
    session.refresh(bot, with_for_update=True)
    session.refresh(row)


@contextmanager
def _adding(name: str) -> Iterator[None]:
    """Turn a violated constraint into the refusal that a name is taken, also where it was taken at the same moment.  Raises Refusal."""
    try:
        yield
    except IntegrityError as error:
        raise _taken(name) from error


def _taken(name: str) -> Refusal:
    return Refusal(
        "name_taken",
        say("name {name!r}: its game has a bot of that name, and it is not yours; choose another", name=name),
        field="name",
        kind=RefusalKind.CONFLICT,
    )


def _own_or_new(session: Session, actor: Actor, game: str, name: str, most: int) -> Bot:
    owner_id = actor.user_id or None
    bot = session.scalars(
        select(Bot).where(Bot.game == game, Bot.name == name).with_for_update()
    ).one_or_none()
    if bot is None:
        quotas.check_bots(session, actor, game, name, most)
        bot = Bot(game=game, name=name, house=False, created_at=time.time(), owner_id=owner_id, seen_at=None)
        session.add(bot)
        session.flush()
        return bot
    if bot.house or bot.owner_id != owner_id:
        raise _taken(name)
    if not quotas.is_counted(session, bot.id):
        quotas.check_bots(session, actor, game, name, most, new=False)
    return bot


def _add(session: Session, bot: Bot, upload: Bundle, *, kept: bool) -> Version:
    """Add a version; what was one before and is no longer `kept` is that version again.  Raises Refusal."""
    before = session.scalars(select(Version).where(Version.bot_id == bot.id).order_by(Version.id)).all()
    for version in before:
        if version.source != bots.HOSTED:
            raise Refusal(
                "name_taken",
                say(
                    "name {name!r}: that bot of yours runs elsewhere ({source}); choose another name for an upload",
                    name=bot.name,
                    source=say(version.source),
                ),
                field="name",
                kind=RefusalKind.CONFLICT,
            )
        if version.program == upload.program:
            if not kept:
                version.state, version.qualified, version.reason = bots.WAITING, False, None
                return version
            raise Refusal(
                "already_submitted",
                say(
                    "upload: is version {version} of {bot} already ({state}); "
                    "`arena bot restore {bot}@{version}` brings one back",
                    version=version.version,
                    bot=bot.name,
                    state=version.state,
                ),
                field="upload",
                kind=RefusalKind.CONFLICT,
            )
    row = Version(
        bot_id=bot.id,
        version=str(len(before) + 1),
        source=bots.HOSTED,
        program=upload.program,
        secret=None,
        talks=upload.manifest.talks,
        state=bots.WAITING,
        qualified=False,
        reason=None,
        created_at=time.time(),
        request_id=request_origin.current(),
        plays=upload.manifest.tables(bot.game).to_text(),
    )
    session.add(row)
    session.flush()
    return row


def _is_upload(row: Version) -> bool:
    return row.source == bots.HOSTED and row.program.startswith(bundle.PREFIX)


def _row(row: Version, bot: Bot, trial: int | None, *, files_kept: bool = True) -> VersionRow:
    return VersionRow(
        game=bot.game,
        bot=bot.name,
        version=row.version,
        source=row.source,
        state=row.state,
        reason=row.reason,
        trial=trial,
        created_at=row.created_at,
        plays=dict(declared_tables.from_text(row.plays).of_game(bot.game)),
        suspended_in={
            variant: each.reason for variant, each in variant_suspensions.read(row.suspensions).items()
        },
        files_kept=files_kept,
    )


def _wrong_state(bot: Bot, row: Version, remedy: str) -> Refusal:
    return Refusal(
        "wrong_state",
        say(
            "bot {name}@{version}: is {state}; {remedy}",
            name=bot.name,
            version=row.version,
            state=say(row.state),
            remedy=say(remedy),
        ),
        field="bot",
        kind=RefusalKind.CONFLICT,
    )

"""Drafts: a tournament as it was asked for, checked and planned, before it is in the store."""

from __future__ import annotations

import logging
import secrets
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.bot_registry import bots, entry_owners, stored_bundles
from arena.bot_registry.bot_version import BotVersion
from arena.competition import deleted_numbers, disclosure, following_entries, pools, stages, tournament_states
from arena.core import request_origin
from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.games import registry
from arena.match.clock import STANDARD, TimeControl
from arena.scheduling import seeds
from arena.scheduling.formats import format_registry
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.planning_terms import PLAN_VERSION, Groups, Terms
from arena.scheduling.stop_rules import Sprt, StopRule
from arena.storage.schema import Entry, Tournament

_log = logging.getLogger(__name__)

STANDARD_PRIORITY = 10
MAX_PRIORITY = 100
Begin = Literal["now", "open", "created"]
_MAX_NAME_CHARS = 200
_MAX_DESCRIPTION_CHARS = 2000


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """An organiser's request for a tournament.

    It begins `now`; or is `open` for entries until it is started; or is only `created`, and opened later.
    `bots` are names of bots of the game, with `@version` where an entry keeps this version even if another becomes active before the start.  `given` has parameters of the format by name,
    such as `rounds`; None is the usual.  Elsewhere None means: the standard
    variant, its smallest table, standard time, a fresh secret, a name made from the rest.  One that is not `rated` counts
    for no pool; one that is does if its options and time allow it.  What was hidden in a set is shown `delay_s` seconds
    after it is over.
    """

    game: str
    bots: tuple[str, ...]
    variant: str | None = None
    seats: int | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    time: TimeControl = STANDARD
    cycles: int = 1
    secret: bytes | None = None
    trusted: bool = False
    name: str | None = None
    description: str = ""
    format: str = format_registry.STANDARD_FORMAT
    given: Mapping[str, int | None] = field(default_factory=dict)
    stop: StopRule | None = None
    priority: int = STANDARD_PRIORITY
    rated: bool = True
    delay_s: int = 0
    begin: Begin = "now"

    @property
    def rules(self) -> Format:
        """Return the format with what it is given.  Raises Refusal if there is none of that name."""
        return format_registry.make_format(self.format, self.cycles, self.stop, **self.given)


@dataclass(frozen=True, slots=True)
class Draft:
    """A tournament that can be begun: nothing of it was left open."""

    spec: TournamentSpec
    name: str
    variant: str
    seats: int
    options: Mapping[str, int]
    entries: tuple[BotVersion, ...]
    secret: bytes
    rated: bool

    @property
    def apart(self) -> Groups:
        """The groups of which no two entries may sit at one table; empty where all may."""
        return Terms(groups=entry_owners.group(self.entries), rated=self.rated).apart


def make(spec: TournamentSpec, entries: Sequence[BotVersion], *, rated: bool = True) -> Draft:
    """Check and plan a tournament of these entries; it counts for a pool only if `rated`, and if its settings allow it.

    Raises UsageError (SetupError among it) naming the field that cannot be.
    """
    game = registry.find(spec.game)
    variant = next(iter(game.variants)) if spec.variant is None else spec.variant
    seats = min(game.variants.get(variant, (0,))) if spec.seats is None else spec.seats
    setup = game.setup(seats, variant=variant, options=spec.options)
    _check(spec, seats)
    _check_distinct(entries)
    return Draft(
        spec=spec,
        name=spec.name or _name(game.title, spec, len(entries), seats),
        variant=variant,
        seats=seats,
        options=setup.options,
        entries=tuple(entries),
        secret=secrets.token_bytes(seeds.SECRET_BYTES) if spec.secret is None else spec.secret,
        rated=rated and spec.rated and pools.rated(spec.game, variant, seats, setup.options, spec.time),
    )


def begin(session: Session, draft: Draft, form: str | None = None, owner: str | None = None) -> int:
    """Store a tournament, launch it unless it waits for entries, and return its id.

    `form` names what is no format of an organiser's: a trial.  `owner` is the name of the user who creates it.  Raises UsageError if it
    cannot be played.
    """
    spec = draft.spec
    tournament = Tournament(
        id=deleted_numbers.next_number(session),
        name=draft.name,
        description=spec.description,
        owner=owner,
        format=form or spec.format,
        rules=spec.rules.to_json(),
        game=spec.game,
        variant=draft.variant,
        seats=draft.seats,
        options=dict(draft.options),
        base_ms=spec.time.base_ms,
        increment_ms=spec.time.increment_ms,
        cap_ms=spec.time.cap_ms,
        talk_ms=spec.time.talk_ms,
        cycles=spec.cycles,
        trusted=spec.trusted,
        plan_version=PLAN_VERSION,
        delay_s=spec.delay_s,
        secret=draft.secret,
        commitment=seeds.secret_commitment(draft.secret),
        inputs=b"",
        pool_id=pools.ensure(session, spec.game, draft.variant).id if draft.rated else None,
        ladder_id=None,
        state=tournament_states.OPEN if spec.begin == "open" else tournament_states.CREATED,
        revision=0,
        priority=spec.priority,
        served=0.0,
        matches_total=0,
        matches_done=0,
        created_at=clock.time(),
        started_at=None,
        finished_at=None,
        request_id=request_origin.current(),
    )
    session.add(tournament)
    session.flush()
    for entry in draft.entries:
        if entry.state == bots.SUPERSEDED:
            stored_bundles.check_kept(session, entry, "bots")  # locks its files until it is entered
    pinned = {number for number, name in enumerate(spec.bots) if following_entries.is_pinned(name)}
    if draft.entries:
        session.execute(
            insert(Entry),
            [
                {
                    "tournament_id": tournament.id,
                    "number": number,
                    "version_id": entry.version_id,
                    "pinned": number in pinned,
                }
                for number, entry in enumerate(draft.entries)
            ],
        )
    if spec.begin == "now":
        stages.launch(session, tournament)
    _log.info(
        "tournament %d is created: %s (%s)",
        tournament.id,
        draft.name,
        tournament.format,
        extra={"tournament": tournament.id},
    )
    return tournament.id


def takes_superseded(rules: Format, *, rated: bool) -> bool:
    """Return whether superseded versions may enter: where two versions are compared, and where nothing is rated."""
    return not rated or rules.compares_versions or isinstance(rules.stop, Sprt)


def check_priority(priority: int) -> None:
    """Check that a tournament may have this priority.  Raises Refusal."""
    if not 1 <= priority <= MAX_PRIORITY:
        raise Refusal(
            "priority_invalid",
            say(
                "priority {priority}: must be 1 to {most_priority}",
                priority=priority,
                most_priority=MAX_PRIORITY,
            ),
            field="priority",
        )


def check_name(name: str) -> None:
    """Check that a tournament may have this name.  Raises Refusal."""
    if not 1 <= len(name.strip()) <= _MAX_NAME_CHARS:
        raise Refusal(
            "name_invalid",
            say(
                "name {name!r}: must be 1 to {longest_name} characters",
                name=name[:_MAX_NAME_CHARS],
                longest_name=_MAX_NAME_CHARS,
            ),
            field="name",
        )


def check_description(text: str) -> None:
    """Check that a tournament may have this description.  Raises Refusal."""
    if len(text.strip()) > _MAX_DESCRIPTION_CHARS:
        raise Refusal(
            "description_invalid",
            say(
                "description of {chars} characters: must be at most {longest}",
                chars=len(text.strip()),
                longest=_MAX_DESCRIPTION_CHARS,
            ),
            field="description",
        )


def _name(title: str, spec: TournamentSpec, entries: int, seats: int) -> str:
    form = "" if spec.format == format_registry.STANDARD_FORMAT else f"{spec.format}, "
    bots = f"{entries} bots, " if spec.begin == "now" else ""
    return f"{title}, {form}{bots}{seats} seats"


def _check(spec: TournamentSpec, seats: int) -> None:
    format_registry.check_format(spec.rules, seats)
    if spec.begin not in get_args(Begin):
        raise UsageError(
            say(
                "begin {begin!r}: must be one of {allowed}",
                begin=spec.begin,
                allowed=", ".join(get_args(Begin)),
            )
        )
    check_priority(spec.priority)
    disclosure.check_delay(spec.delay_s)
    if spec.begin == "now" and len(spec.bots) < seats:
        named = ", ".join(spec.bots) or say("none")
        raise Refusal(
            "too_few_bots",
            say(
                "bots {named}: a table has {seats} seats, so name at least {seats} bots",
                named=named,
                seats=seats,
            ),
            field="bots",
        )
    if spec.secret is not None and len(spec.secret) != seeds.SECRET_BYTES:
        raise UsageError(
            say(
                "secret of {secret} bytes: must be {bytes}",
                secret=len(spec.secret),
                bytes=seeds.SECRET_BYTES,
            )
        )
    if spec.name is not None:
        check_name(spec.name)
    check_description(spec.description)


def _check_distinct(entries: Sequence[BotVersion]) -> None:
    seen: set[int] = set()
    for entry in entries:
        if entry.version_id in seen:
            raise Refusal(
                "named_twice",
                say(
                    "bots: {bot}@{version} is named twice; name each once",
                    bot=entry.bot,
                    version=entry.version,
                ),
                field="bots",
            )
        seen.add(entry.version_id)

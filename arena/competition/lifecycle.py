"""The life cycle of a tournament, as its organiser directs it.

    created ──open──▶ open ──start──▶ running ──▶ finished
       └──────────────start─────────────┘│ ▲
                                    pause▼ │resume      cancel: from anywhere before the end
                                        paused

In each of them it can be withdrawn from; while it runs, or is paused, it can be extended.
"""

from __future__ import annotations

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from arena.accounts.actors import Actor
from arena.bot_registry import bots, entry_owners
from arena.bot_registry.bot_version import BotVersion
from arena.competition import drafts, following_entries, plans, settlement, stages, withdrawals
from arena.competition.locked_tournaments import directing, locked
from arena.competition.tournament_states import CREATED, OPEN, PAUSED, RUNNING
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.scheduling.decisions import Cycles, End, Extend
from arena.scheduling.formats.format_registry import FORMATS
from arena.scheduling.formats.tournament_format import MAX_CYCLES
from arena.scheduling.planning_terms import Terms
from arena.storage import Store
from arena.storage.schema import Entry, Tournament, Version

_MAX_REASON_CHARS = 500


def open_entries(store: Store, tournament_id: int, actor: Actor) -> None:
    """Open a tournament for entries of authors.  Raises NotFound, Refusal."""
    with directing(store, tournament_id, actor, "open", {CREATED}) as at:
        at.tournament.state = OPEN
        at.note("open")


def enter(store: Store, tournament_id: int, name: str, actor: Actor) -> BotVersion:
    """Enter a bot, `name` or `name@version`: an organiser any, an author an own bot, while entries are open.

    It takes the place of another version of the bot, unless versions may meet here and it is named with its own.

    Raises NotFound, UsageError (Refusal among it).
    """
    actor.require("bots")
    organises = "tournaments" in actor.scopes
    states, own = ({CREATED, OPEN}, None) if organises else ({OPEN}, name)
    with locked(store, tournament_id, actor, "enter", states, own=own) as at:
        session, tournament = at.session, at.tournament
        found = bots.find_in(session, tournament.game, name, field="bot")
        superseded = _takes_superseded(tournament)
        bots.check_enterable(session, found, superseded=superseded, field="bot")
        bots.check_plays(found, tournament.variant, tournament.seats, field="bot")
        _check_new(session, tournament_id, found)
        pinned = following_entries.is_pinned(name)
        other = None
        if not (superseded and pinned):
            other = _other_version(session, tournament_id, found, several=superseded)
        if other is None:
            last = session.scalar(select(func.max(Entry.number)).where(Entry.tournament_id == tournament_id))
            other = Entry(tournament_id=tournament_id, number=0 if last is None else last + 1)
            session.add(other)
        other.version_id, other.pinned = found.version_id, pinned
        at.note("enter", bot=f"{found.bot}@{found.version}")
    return found


def start(store: Store, tournament_id: int, actor: Actor) -> None:
    """Begin with the bots that are entered.  Raises NotFound, UsageError (Refusal among it)."""
    with directing(store, tournament_id, actor, "start", {CREATED, OPEN}) as at:
        _check_start(at.session, at.tournament)
        _renumber(at.session, tournament_id)
        stages.launch(at.session, at.tournament)
        at.note("start")
    settlement.advance(store, tournament_id)


def pause(store: Store, tournament_id: int, actor: Actor) -> None:
    """Begin no more of its blocks; what is being played is played to its end.  Raises NotFound, Refusal."""
    with directing(store, tournament_id, actor, "pause", {RUNNING}) as at:
        at.tournament.state = PAUSED
        at.note("pause")


def resume(store: Store, tournament_id: int, actor: Actor) -> None:
    """Go on after a pause.  Raises NotFound, Refusal."""
    with directing(store, tournament_id, actor, "resume", {PAUSED}) as at:
        at.tournament.served = max(at.tournament.served, stages.least_served(at.session))
        at.tournament.state = RUNNING
        at.note("resume")
    settlement.advance(store, tournament_id)


def cancel(store: Store, tournament_id: int, actor: Actor, why: str = "") -> None:
    """End a tournament at once; its results so far stay, and its secret is published.  Raises NotFound, Refusal."""
    before = {CREATED, OPEN, RUNNING, PAUSED}
    with directing(store, tournament_id, actor, "cancel", before) as at:
        words = why.strip() or "cancelled by its organiser"
        if len(words) > _MAX_REASON_CHARS:
            raise Refusal(
                "why_invalid",
                say(
                    "why of {words} characters: must be at most {longest_why}",
                    words=len(words),
                    longest_why=_MAX_REASON_CHARS,
                ),
                field="why",
            )
        stages.decide(at.session, at.tournament, End(words, cancelled=True))
        at.note("cancel", why=words)


def extend(store: Store, tournament_id: int, more: int, actor: Actor) -> None:
    """Play more cycles (of a Swiss: more rounds) than were asked for.  Raises NotFound, UsageError (Refusal among it)."""
    with directing(store, tournament_id, actor, "extend", {RUNNING, PAUSED}) as at:
        rules = plans.rules_of(at.tournament)
        if rules.extension_unit is None:
            raise Refusal(
                "not_extensible",
                say(
                    "format {form!r}: ends by itself; what can be extended is {extensible}",
                    form=rules.name,
                    extensible=", ".join(name for name, each in FORMATS.items() if each.extension_unit),
                ),
                field="format",
                kind=RefusalKind.CONFLICT,
            )
        if not 1 <= more <= MAX_CYCLES:
            raise Refusal(
                "more_invalid",
                say("more {more}: must be 1 to {most_cycles}", more=more, most_cycles=MAX_CYCLES),
                field="more",
            )
        allowed = plans.load(store, at.session, tournament_id)
        seats = at.tournament.seats
        stages.check_size(rules, len(allowed.entries), seats, allowed.course.more + more, allowed.terms.apart)
        stages.decide(at.session, at.tournament, Extend(more))
        if not rules.adapts and rules.stop is None:
            stages.decide(at.session, at.tournament, Cycles(more))
        at.note("extend", more=more)


def withdraw(store: Store, tournament_id: int, name: str, actor: Actor, *, annul: bool = False) -> BotVersion:
    """Take a bot out: what it has played stays, or is annulled.  An author may withdraw an own bot, whose results stay.

    Raises NotFound, UsageError (Refusal among it).
    """
    actor.require("bots")
    organises = "tournaments" in actor.scopes
    if annul:
        actor.require("tournaments")
    states, own = ({CREATED, OPEN, RUNNING, PAUSED}, None) if organises else ({OPEN, RUNNING, PAUSED}, name)
    with locked(store, tournament_id, actor, "withdraw", states, own=own) as at:
        entries = plans.read_entries(at.session, tournament_id)
        number = _number_of(entries, name)
        found = entries[number]
        begun = at.tournament.state in {RUNNING, PAUSED}
        if begun and not withdrawals.leave(
            store, at.session, at.tournament, number, annulled=annul, why=f"withdrawn by {actor.name}"
        ):
            raise Refusal(
                "wrong_state",
                say("bot {name!r}: has left the tournament before", name=name),
                field="bot",
                kind=RefusalKind.CONFLICT,
            )
        if not begun:
            mine = (Entry.tournament_id == tournament_id, Entry.version_id == found.version_id)
            at.session.execute(delete(Entry).where(*mine))
        at.note("withdraw", bot=f"{found.bot}@{found.version}", annul=annul)
    if begun:
        settlement.settle(store, tournament_id)
    return found


def _takes_superseded(tournament: Tournament) -> bool:
    return drafts.takes_superseded(plans.rules_of(tournament), rated=tournament.pool_id is not None)


def _check_new(session: Session, tournament_id: int, found: BotVersion) -> None:
    mine = (Entry.tournament_id == tournament_id, Entry.version_id == found.version_id)
    if session.scalar(select(Entry.number).where(*mine)) is not None:
        raise Refusal(
            "already_entered",
            say("bot {bot}@{version}: is entered already", bot=found.bot, version=found.version),
            field="bot",
            kind=RefusalKind.CONFLICT,
        )


def _other_version(session: Session, tournament_id: int, found: BotVersion, *, several: bool) -> Entry | None:
    """Return the entry of another version of a bot, if it has one; where `several` may meet, not one that is pinned."""
    mine = select(Version.bot_id).where(Version.id == found.version_id).scalar_subquery()
    query = select(Entry).join(Version, Version.id == Entry.version_id)
    return session.scalars(
        query.where(
            Entry.tournament_id == tournament_id,
            Version.bot_id == mine,
            *([Entry.pinned.is_(False)] if several else []),
        )
        .order_by(Entry.number)
        .limit(1)
    ).first()


def _check_start(session: Session, tournament: Tournament) -> None:
    """Check that a tournament can begin with its entries.  Raises Refusal with all that is in the way."""
    entries = plans.read_entries(session, tournament.id)
    superseded = _takes_superseded(tournament)
    found: list[Refusal] = []
    for entry in entries:
        try:
            bots.check_enterable(session, entry, superseded=superseded)
            bots.check_plays(entry, tournament.variant, tournament.seats)
        except Refusal as refusal:
            found.append(refusal)
    groups = Terms(groups=entry_owners.group(entries), rated=tournament.pool_id is not None).apart
    try:
        plans.rules_of(tournament).check_entries(len(entries), tournament.seats, groups)
    except Refusal as refusal:
        found.append(refusal)
    if len(found) == 1:
        raise found[0]
    if found:
        first = found[0]
        raise Refusal(first.code, "; ".join(map(str, found)), field=first.field, kind=first.kind)


def _number_of(entries: tuple[BotVersion, ...], name: str) -> int:
    matching = [
        number for number, entry in enumerate(entries) if name in {f"{entry.bot}@{entry.version}", entry.bot}
    ]
    if len(matching) != 1:
        named = ", ".join(f"{entry.bot}@{entry.version}" for entry in entries) or say("nobody")
        raise Refusal(
            "not_entered",
            say("bot {name!r}: must be one of those entered: {named}", name=name[:80], named=named),
            field="bot",
            kind=RefusalKind.NOT_FOUND,
        )
    return matching[0]


def _renumber(session: Session, tournament_id: int) -> None:
    """Close the gaps that those left who were taken out before the start."""
    numbers = session.scalars(
        select(Entry.number).where(Entry.tournament_id == tournament_id).order_by(Entry.number)
    ).all()
    for new, old in enumerate(numbers):
        if new != old:
            mine = (Entry.tournament_id == tournament_id, Entry.number == old)
            session.execute(update(Entry).where(*mine).values(number=new))

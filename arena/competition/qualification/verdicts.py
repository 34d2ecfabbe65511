"""Verdicts: whether a version has passed its qualification, and which version of a bot is the active one."""

from __future__ import annotations

import json
import logging

from sqlalchemy import Connection, func, or_, select, update

from arena.bot_registry import bots
from arena.bot_registry.hosted_offer import sandbox_limits
from arena.bundle_format.sandbox_errors import explain
from arena.competition import following_entries, plans
from arena.competition.matches import incidents
from arena.competition.matches.outcomes import ANNULLED
from arena.competition.plans import StoredPlan
from arena.competition.trial_kinds import QUALIFICATION
from arena.core.settings import settings
from arena.core.translatable import Wording, mark, recall, say
from arena.declarations.declared_tables import has_choice
from arena.games import registry
from arena.match.faults import FaultKind
from arena.storage.record_compression import unpack
from arena.storage.schema import Attempt, Bot, MatchOutput, MatchResult, Record, Trial, Version

_log = logging.getLogger(__name__)

STARTING = mark("It crashed while starting: {why}")
ENDS = {
    FaultKind.CRASH: mark("It crashed in match {number} of {total}: {why}"),
    FaultKind.TIMEOUT: mark("It ran out of time in match {number} of {total}: {why}"),
    FaultKind.ILLEGAL_ACTION: mark("It answered with an illegal action in match {number} of {total}: {why}"),
    FaultKind.PROTOCOL: mark("It broke the protocol in match {number} of {total}: {why}"),
}
"""Sentences about how a qualification ended by a fault."""
_EARLY = "before it could play, "
LAST_WORDS = "; its last words: "
"""Between why a version has failed and the end of what it printed."""
_MAX_REASON_CHARS = 4000
_MAX_SUMMARY_CHARS = 1000
_FIRST_CHARS = 300


def settle(connection: Connection, stored: StoredPlan) -> None:
    """Store the verdict on a tournament that has just ended, if it was a qualification."""
    trial = connection.execute(
        select(Trial.kind, Trial.version_id, Trial.batch).where(Trial.tournament_id == stored.tournament_id)
    ).first()
    if trial is None or trial.kind != QUALIFICATION:
        return
    # Two versions of a bot may be judged at the same moment: only one can be the active one.
    mine = select(Version.bot_id).where(Version.id == trial.version_id).scalar_subquery()
    connection.execute(select(Bot.id).where(Bot.id == mine).with_for_update()).one()
    version = connection.execute(
        select(Version.bot_id, Version.state, Version.source, Version.talks).where(
            Version.id == trial.version_id
        )
    ).one()
    # A bot that runs elsewhere has no manifest that its Hello could contradict.
    hosted = version.source == bots.HOSTED
    reason = _reason(connection, stored, talks=version.talks if hosted else None, hosted=hosted)
    _log.info(
        "tournament %d: version %d %s",
        stored.tournament_id,
        trial.version_id,
        "has qualified" if reason is None else f"has failed its qualification: {reason}",
    )
    connection.execute(
        update(Trial).where(Trial.tournament_id == stored.tournament_id).values(passed=reason is None)
    )
    batch = trial.batch or stored.tournament_id
    newest = select(func.max(func.coalesce(Trial.batch, Trial.tournament_id))).where(
        Trial.version_id == trial.version_id, Trial.kind == QUALIFICATION
    )
    if connection.execute(newest).scalar() != batch:
        return  # it has failed at another of its tables, and is tried again
    this = update(Version).where(Version.id == trial.version_id)
    if reason is not None:
        connection.execute(
            this.where(Version.state == bots.WAITING).values(
                state=bots.FAILED, reason=reason[:_MAX_REASON_CHARS]
            )
        )
        return
    if not _has_passed(connection, batch):
        return
    connection.execute(this.values(qualified=True, reason=None))
    if version.state == bots.WAITING:
        activate(connection, version.bot_id, trial.version_id, over_newer=False)


def _has_passed(connection: Connection, batch: int) -> bool:
    """Return whether all trials of a qualification are over, none of them with a fault.  The bot is locked by the caller."""
    others = select(Trial.passed).where(or_(Trial.tournament_id == batch, Trial.batch == batch))
    return all(connection.execute(others).scalars())


def activate(connection: Connection, bot_id: int, version_id: int, *, over_newer: bool) -> None:
    """Make a version the active one, in place of the one before, in what it is entered in too.  The bot is locked by the caller.

    Unless it shall go `over_newer`, a newer one stays in its place.
    """
    active = connection.execute(
        select(Version.id).where(Version.bot_id == bot_id, Version.state == bots.ACTIVE)
    ).scalar()
    state = bots.ACTIVE
    if active is not None and active > version_id and not over_newer:
        state = bots.SUPERSEDED
    elif active is not None:
        connection.execute(
            update(Version)
            .where(Version.id == active)
            .values(state=bots.SUPERSEDED, declared=None, reason=None)
        )
    connection.execute(update(Version).where(Version.id == version_id).values(state=state, reason=None))
    if state == bots.ACTIVE:
        following_entries.follow(connection, bot_id, version_id)


def _reason(connection: Connection, stored: StoredPlan, *, talks: bool | None, hosted: bool) -> str | None:
    """Return why the first entry of a qualification has failed at a table, in words for its author; None if it has not."""
    results = connection.execute(
        select(MatchResult, Record.data)
        .outerjoin(Record, Record.result_id == MatchResult.id)
        .where(MatchResult.tournament_id == stored.tournament_id)
        .order_by(MatchResult.set_number, MatchResult.match_number)
    ).all()
    for result in results:
        planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
        seat = planned.seats.index(0)
        number, total = result.match_number + 1, f"{len(results)}{_table(stored)}"
        if result.end == ANNULLED:
            why = connection.execute(
                select(Attempt.reason).where(
                    Attempt.tournament_id == stored.tournament_id,
                    Attempt.set_number == result.set_number,
                    Attempt.match_number == result.match_number,
                )
            ).scalar()
            return f"The arena could not play match {number} of {total} ({why}); `arena bot restore` has it tried again"
        record = json.loads(unpack(result.data))
        if result.fault_seat == seat:
            message = record["result"]["fault"]["message"]
            said = _printed(connection, result.id, seat)
            hint = _explain(result.fault_kind, f"{message}\n{said}") if hosted else None
            return (
                f"{_how(result.fault_kind, message, hint, number, total)}{LAST_WORDS if said else ''}{said}"
            )
        told = record["seats"][seat].get("talks", False)
        if registry.find(stored.game).has_talk and talks is not None and told != talks:
            said, does = ("talks", "does not") if talks else ("does not talk", "does")
            return f"In match {number} of {total} the manifest says that it {said}, and its Hello that it {does}; make them agree"
    return None


def _table(stored: StoredPlan) -> str:
    """Name the table of a qualification, unless the game has no other."""
    return f" ({stored.variant}, {stored.plan.seats} seats)" if has_choice(stored.game) else ""


def _how(kind: str, message: str, hint: str | None, number: int, total: str) -> str:
    """Write how a match ended by a fault, and why; a hint takes the place of the number that a process ended with."""
    why = message.partition(LAST_WORDS)[0]
    if kind == FaultKind.CRASH and why.startswith(_EARLY):
        return say(STARTING, why=hint or why.removeprefix(_EARLY))
    if hint is not None:
        why = hint if kind == FaultKind.CRASH else f"{why}; {hint}"
    return say(ENDS[FaultKind(kind)], number=number, total=total, why=why)


def _printed(connection: Connection, result_id: int, seat: int) -> str:
    """Return the end of what a bot printed in a match, as its author wants it."""
    stderr = connection.execute(
        select(MatchOutput.stderr).where(MatchOutput.result_id == result_id, MatchOutput.seat == seat)
    ).scalar()
    words = (stderr or b"").decode(errors="replace").strip()
    if len(words) <= _MAX_SUMMARY_CHARS:
        return words
    # A panic says at its beginning what is wrong, a traceback at its end.
    return f"{words[:_FIRST_CHARS]}\n…\n{words[_FIRST_CHARS - _MAX_SUMMARY_CHARS :]}"


def _explain(kind: str, printed: str) -> str | None:
    """Return which limit of the sandbox ended a match; None if that is not known."""
    if kind == FaultKind.ILLEGAL_ACTION:
        return None
    return explain(printed, sandbox_limits(settings()))


def in_words(reason: str) -> str:
    """Return why a version has failed so that a page can translate it; an unknown reason stays unchanged."""
    found = recall(reason, (STARTING, *ENDS.values()))
    if not isinstance(found, Wording):
        return reason
    why = incidents.in_words(found.values["why"])
    return say(found.message, **{**found.values, "why": why})

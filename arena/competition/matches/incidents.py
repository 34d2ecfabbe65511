"""Incidents: what several matches may have ended by, such as one death of a bot's process; and faults in words.

A fault's message is stored in its match's record, in English.  It is recognised here, so that pages can tell it in other languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.core.translatable import mark, recall
from arena.storage.schema import MatchResult

_MESSAGES = (
    mark("its process was ended by signal {number} ({name}); its last words: {words}"),
    mark(
        "its process was ended by signal {number} ({name}): the machine had no memory left, the bot used no more than it may"
    ),
    mark("its process was ended by signal {number} ({name})"),
    mark("its process ended with exit code {code}; its last words: {words}"),
    mark("its process ended with exit code {code}"),
    mark("before it could play, its process ended with exit code {code}; its last words: {words}"),
    mark("before it could play, its process ended with exit code {code}"),
    mark("it was ended: it used {used} MiB of memory, {most} MiB are allowed"),
    mark("it closed its stream"),
    mark("its connection was lost and it did not come back within {seconds} s"),
    mark(
        "decision {decision}: no answer within {limit} ms, all that was left of its bank; it had thought for {thought} s "
        "in {answered} decisions, its time is {base} s and {increment} s more for each"
    ),
    mark(
        "decision {decision}: no answer within {limit} ms, all that was left of its bank; it had thought for {thought} s "
        "in {answered} decision, its time is {base} s and {increment} s more for each"
    ),
    mark(
        "decision {decision}: no answer within {limit} ms, the most for one decision, with {left} s left in its bank; "
        "it had thought for {thought} s in {answered} decisions, its time is {base} s and {increment} s more for each"
    ),
    mark(
        "decision {decision}: no answer within {limit} ms, the most for one decision, with {left} s left in its bank; "
        "it had thought for {thought} s in {answered} decision, its time is {base} s and {increment} s more for each"
    ),
    mark("decision {decision}, action {action}: must be 0 to {last}, the index of one of {actions}"),
)


def in_words(message: str | None) -> str | None:
    """Return a fault's message so that a page can tell it in another language; one that is not known stays what it is."""
    return None if message is None else recall(message, _MESSAGES)


def sizes(session: Session, incidents: Iterable[str | None]) -> Mapping[str | None, int]:
    """Count the matches that ended by each of these incidents."""
    named = {incident for incident in incidents if incident is not None}
    if not named:
        return {}
    query = select(MatchResult.incident, func.count()).where(MatchResult.incident.in_(named))
    return dict(session.execute(query.group_by(MatchResult.incident)).all())

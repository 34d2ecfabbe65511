"""Incidents: common causes of the end of several matches, such as the death of a bot's process; and faults in words.

A fault's message is stored in its match's record, in English.  It is recognised here, so that pages can show it in other languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.core.translatable import Wording, mark, recall, say
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
    mark("decision {decision} asks for talk: answer it with Say, not Answer"),
    mark("decision {decision} is a choice: answer it with Answer, not Say"),
    mark("decision {decision}: it was not asked; the one that is open is {open}"),
    mark("decision {decision}: it was not asked; none is open"),
    mark("decision {decision}: it is past, each decision is answered once; the one that is open is {open}"),
    mark("decision {decision}: it is past, each decision is answered once; none is open"),
    mark("decision {decision}, text of {size} bytes: at most {most} bytes of UTF-8 are allowed"),
    mark("decision {decision}, text: the control character {character} is not allowed"),
    mark("decision {decision}, claims: {given} given, at most {most} are allowed"),
    mark("decision {decision}, claim seat {seat}: must be 0 to {last}"),
    mark("decision {decision}, claim {field} {value}: must be one of {allowed}"),
    mark("did not read for {seconds} s what was sent to it"),
    mark("does not read: more than {size} bytes wait for it"),
    mark("a frame of {size} bytes: at most {most} are allowed"),
    mark("a first frame of {size} bytes: at most {most} are allowed"),
    mark("a frame of {size} bytes that is no arena.v1.ConnectRequest"),
    mark("the first frame is no arena.v1.ConnectRequest"),
    mark("the first message must be a Hello"),
    mark("Hello.protocol {given}: this referee speaks {known}"),
    mark("Hello.version {version}: must be without blanks, `@`, `,` and `/`"),
    mark("{field} of {size} bytes: at most {most} are allowed"),
    mark("{field} {text}: must have printable characters only"),
    mark("too many messages: allowed are one for each Ask and {spare} a second more"),
    mark("a second Hello: it is sent once, first"),
    mark("a message that is none of hello, answer, say"),
    mark("an answer for table {number}: no match of that number began on this stream"),
)


_WAITED = mark("{fault}; for {seconds} s it waited for its own output to be read ({size} MB): print less")


def in_words(message: str | None) -> str | None:
    """Return a fault's message so that a page can translate it; an unknown one is returned unchanged."""
    if message is None:
        return None
    waited = recall(message, (_WAITED,))
    if isinstance(waited, Wording):
        return say(_WAITED, **{**waited.values, "fault": recall(waited.values["fault"], _MESSAGES)})
    return recall(message, _MESSAGES)


_CAUSES = {
    "its process was ended by signal {number} ({name}); its last words: {words}": mark(
        "signal {number} ({name})"
    ),
    "its process was ended by signal {number} ({name})": mark("signal {number} ({name})"),
    "its process ended with exit code {code}; its last words: {words}": mark("exit code {code}"),
    "its process ended with exit code {code}": mark("exit code {code}"),
    "before it could play, its process ended with exit code {code}; its last words: {words}": mark(
        "exit code {code} while starting"
    ),
    "before it could play, its process ended with exit code {code}": mark("exit code {code} while starting"),
    "it was ended: it used {used} MiB of memory, {most} MiB are allowed": mark(
        "more than {most} MiB of memory"
    ),
}
"""Message of a fault → its cause, alike in all matches that it ended."""
_NO_ANSWER = mark("no answer within its time")


def cause(message: str | None) -> str:
    """Return what caused a fault, given `in_words` of its message: the same for all faults of one cause."""
    if not isinstance(message, Wording):
        return message or ""
    if message.message == _WAITED:
        return cause(message.values["fault"])
    if "no answer within" in message.message:
        return _NO_ANSWER
    known = _CAUSES.get(message.message)
    if known is not None:
        return say(known, **message.values)
    return say(message.message, **dict.fromkeys(message.values, "…"))


def sizes(session: Session, incidents: Iterable[str | None]) -> Mapping[str | None, int]:
    """Count the matches that ended by each of these incidents."""
    named = {incident for incident in incidents if incident is not None}
    if not named:
        return {}
    query = select(MatchResult.incident, func.count()).where(MatchResult.incident.in_(named))
    return dict(session.execute(query.group_by(MatchResult.incident)).all())

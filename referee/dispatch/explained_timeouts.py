"""The explanation of a timeout by a bot's process: that it waited for its own output, or where it was."""

from __future__ import annotations

from dataclasses import replace

from arena.bundle_format.bundle import sha256_of
from arena.match.faults import FaultKind
from arena.match.record import Record
from arena.referee_client.orders import Hosted
from referee.dispatch.pending_order import PendingOrder

_MIN_WAIT_S = 1.0
"""A shorter wait for its output has not cost a bot its match."""
_LAST_WORDS_BYTES = 4096


def explain_timeout(pending: PendingOrder, record: Record) -> Record:
    """Return the record of a match; if it ended by a timeout, the fault's message says what the bot's process shows.

    What an upload has printed is left out, since only its author may read it: it comes with the match's output.
    """
    fault = record.result.fault
    if fault is None or fault.kind is not FaultKind.TIMEOUT or not pending.printed:
        return record
    printed = pending.printed[fault.seat]
    if printed is None:
        return record
    source = pending.bots[fault.seat].source
    message = fault.message
    stderr, dropped = printed.read()
    if (wait_s := printed.wait_s()) >= _MIN_WAIT_S:
        size_mb = (len(stderr) + dropped) / 1e6
        message += (
            f"; for {wait_s:.1f} s it waited for its own output to be read ({size_mb:.1f} MB): print less"
        )
    elif isinstance(source, Hosted) and not sha256_of(source.program):
        words = stderr[-_LAST_WORDS_BYTES:].decode(errors="replace").strip()
        message += f"; its last words: {words}" if words else ""
    return replace(record, result=replace(record.result, fault=replace(fault, message=message)))

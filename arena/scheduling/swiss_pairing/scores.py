"""Scores of a Swiss: by them it pairs."""

from __future__ import annotations

from collections.abc import Sequence

from arena.scheduling.formats.adaptive_rounds import PlayedRound

_HALVES_OF_BYE = 4
"""A bye counts as a set won: two matches of two halves each."""


def standing(played: Sequence[PlayedRound], entries: int) -> list[int]:
    """Add up the halves of each entry; a bye counts as a set won."""
    scores = [0] * entries
    for each in played:
        for one in each.sets:
            for entry, halves in zip(one.table, one.halves, strict=True):
                scores[entry] += halves
        for entry in each.byes:
            scores[entry] += _HALVES_OF_BYE
    return scores

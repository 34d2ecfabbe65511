"""The kinds of insights, by the names that their jobs have."""

from __future__ import annotations

from collections.abc import Mapping

from arena.reports.insights import drama_measurement, puzzle_search, stored_chances, stored_styles
from arena.reports.insights.insight import Insight

INSIGHTS: Mapping[str, Insight] = {
    insight.name: insight
    for insight in (
        stored_chances.CHANCES,
        stored_chances.CHOICES,
        drama_measurement.DRAMA,
        drama_measurement.NEWEST_DRAMA,
        puzzle_search.PUZZLES,
        stored_styles.STYLE,
    )
}

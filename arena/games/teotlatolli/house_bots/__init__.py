"""House bots for Teotlatolli: one a file, and their styles; `_…` is what they share."""

from arena.core.translatable import mark

STYLES = {
    "builder": mark("lays all that fits, and is open to thieves"),
    "raider": mark("breaks up what you have nearly completed"),
    "schemer": mark("does all that is free before it completes a god"),
}
"""By name: how it plays, in a line for people."""

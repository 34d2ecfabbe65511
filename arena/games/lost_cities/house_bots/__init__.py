"""House bots for Lost Cities: one a file, and their styles; `_…` is what they share."""

from arena.core.translatable import mark

STYLES = {
    "cautious": mark("starts few expeditions, each paid for in advance"),
    "collector": mark("collects colours, and plays them late"),
    "rusher": mark("plays at once, never waits"),
}
"""By name: how it plays, in a line for people."""

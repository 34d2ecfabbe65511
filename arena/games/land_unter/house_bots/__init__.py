"""House bots for Land Unter: one a file, and their styles; `_…` is what they share."""

from arena.core.translatable import mark

STYLES = {
    "low_profile": mark("ducks under every water card"),
    "hoarder": mark("saves its high cards for the end"),
    "counter": mark("counts cards, and knows its neighbours' hands"),
}
"""By name: how it plays, in a line for people."""

"""House bots for Matching Pennies: one a file, and their styles."""

from arena.core.translatable import mark

STYLES = {
    "alternating": mark("shows heads and tails in turn"),
    "stubborn": mark("shows heads, whatever happens"),
}
"""By name: how it plays, in a line for people."""

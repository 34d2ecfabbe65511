"""House bots for The Bottle Imp: one a file, and their styles; `_…` is what they share."""

from arena.core.translatable import mark

STYLES = {
    "cautious": mark("takes the bottle only where it is nearly sure to sell it"),
    "daring": mark("takes the bottle early and often"),
    "keeper": mark("keeps middling cards, and passes on what is dangerous"),
}
"""By name: how it plays, in a line for people."""

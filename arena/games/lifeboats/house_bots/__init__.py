"""House bots for Lifeboats: one a file, and their styles; `_…` is what they share."""

from arena.core.translatable import mark

STYLES = {
    "tactician": mark("expects the others to be greedy, and votes accordingly"),
    "captain": mark("spends its hats early"),
    "joiner": mark("gets into the fullest boats, and sends them home"),
    "keeper": mark("talks: says how it will vote, and keeps its word"),
    "liar": mark("talks: promises what you like to hear, and votes as it likes"),
    "diplomat": mark("talks: trusts those who kept their promises"),
}
"""By name: how it plays, in a line for people."""

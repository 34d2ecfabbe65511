"""The matches of tournaments: the blocks that workers lease, and the results that they store."""

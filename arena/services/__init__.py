"""What the arena does: creates tournaments, plans blocks, stores results, refreshes ratings."""

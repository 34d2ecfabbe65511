"""Rankings: Elo tables, standings, leaderboards and the measures beside them, from stored results."""

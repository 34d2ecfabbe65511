"""Rankings: Elo tables, standings, leaderboards and related measures, from stored results."""

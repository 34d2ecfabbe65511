"""Our own bots, one folder per game."""

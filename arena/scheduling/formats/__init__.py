"""Tournament formats: round-robin, gauntlet, Swiss, knockout and ladder.  Pure."""

"""Bot Arena: tournaments for game-playing bots."""

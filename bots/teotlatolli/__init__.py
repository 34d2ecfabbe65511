"""House bots for Teotlatolli."""

"""House bots for Lost Cities."""

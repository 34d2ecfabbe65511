"""House bots for The Bottle Imp."""

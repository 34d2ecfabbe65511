"""Notes of bots in a match, for readers with access to them."""

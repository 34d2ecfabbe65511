"""House bots for Lifeboats."""

"""Games: their pages, Elo tables and measures."""

"""What a referee counts, and how a scrape reads it."""

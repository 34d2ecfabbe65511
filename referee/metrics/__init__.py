"""The counts of a referee, and how a scrape reads it."""

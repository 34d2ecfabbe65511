"""A soak: an arena on several machines, which plays, is used and is disturbed for hours."""

"""A match: its session, clocks and record.  Pure."""

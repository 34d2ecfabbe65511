"""Golden matches: whole records as text, one step a line.  `python -m tests.golden` writes them again."""

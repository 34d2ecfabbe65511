"""A sixth game, as one would add it: `test_sixth.py` puts it into a copy of the arena."""

"""The puzzle of the day: a position of an open match, as one seat saw it, and what was played there."""

"""`arena tournament` and `arena ladder`."""

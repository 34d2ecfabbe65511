"""The arena's status for everybody: a page, and its JSON twin."""

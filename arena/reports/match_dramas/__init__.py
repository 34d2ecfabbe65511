"""The drama of matches: which are worth watching, and how exciting they were by their scores."""

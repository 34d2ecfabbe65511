"""Commands for those who train bots: matches in bulk, data sets, ratings against a fixed pool."""

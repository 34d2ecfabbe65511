"""Ratings: Elo as a function of the stored results.  Pure."""

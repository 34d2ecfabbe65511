"""Pairing a round of a Swiss.  Pure."""

"""Figures of past matches: chances, drama and playing styles, and the share of a worker's time that they get."""

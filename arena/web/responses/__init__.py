"""Whole responses: those of the cache, and errors as a page or as a problem document."""

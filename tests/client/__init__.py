"""Tests of arena.client."""

"""Tournaments and ladders: pages, creating and managing them, the API."""

"""Stores on both databases."""

from tests.stores import emptied, own_url, postgres_template, server, sqlite_template, store, url

__all__ = ["emptied", "own_url", "postgres_template", "server", "sqlite_template", "store", "url"]

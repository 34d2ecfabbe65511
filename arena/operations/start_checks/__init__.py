"""Checks of an arena's configuration, at the start of each part and again every minute.

    facts, gathered from the environment, files, Redis and the database ──▶ one function for each check ──▶ warnings, one line each

A fatal problem stops a part with an error where the value is needed (arena/core/settings.py, the store, the secrets); a
warning is logged by the part, announced in Redis, and shown to admins as long as it applies.
"""

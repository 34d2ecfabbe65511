"""What can be wrong with how an arena was set up, found out at the start of each part and again every minute.

    facts, gathered from the environment, files, Redis and the database ──▶ one function for each check ──▶ warnings, one line each

What keeps a part from working stops it with an error where it is needed (arena/core/settings.py, the store, the secrets); a
warning is logged by the part, announced in Redis, and shown to admins as long as it holds.
"""

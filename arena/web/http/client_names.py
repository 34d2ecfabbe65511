"""Names of the API's operations in the clients: the attribute of an arena, and its method."""

from __future__ import annotations

from collections.abc import Mapping

MAX_KEYWORDS = 3
"""Bodies with more fields are passed as one object."""
NOUNS: Mapping[str, tuple[str, str]] = {
    "accounts": ("account users", "Accounts: signing in, tokens, sessions, users, invitations and the audit log."),
    "administration": ("admin", "Administration: queues, jobs, workers, referees, warnings, faults, suspensions."),
    "bots": ("bots sdk", "Bots: their versions, uploads, logs, connections and profiles."),
    "docs": ("docs", "The docs and the rules of the games, as Markdown."),
    "games": ("games", "The games, with variants, seats and options."),
    "ladders": ("ladders", "Ladders, which rate all active bots of a pool all the time."),
    "matches": ("matches live", "Matches: the newest, those being played, records and live events."),
    "play": ("play", "A person's own games against house bots; `player` is the key that opening one returned."),
    "ratings": ("ratings", "Elo tables of pools, their history and measures."),
    "status": ("status", "The state of the arena."),
    "tournaments": ("tournaments events", "Tournaments: their life cycle, entries, results and decisions."),
}  # fmt: skip
"""Attributes of an arena, with the tags of their operations and their docstrings."""
_NAMES: Mapping[str, tuple[str, str]] = {
    "download_game_records": ("games", "download_records"),
    "download_tournament_records": ("tournaments", "download_records"),
    "show_own_record": ("play", "download_record"),
    "show_record": ("matches", "download_record"),
}
"""Attributes and methods of operations whose names do not follow from their noun."""


def named(operation: str, tag: str) -> tuple[str, str]:
    """Return the attribute and the method of an operation: its name without the noun."""
    if operation in _NAMES:
        return _NAMES[operation]
    noun = next(noun for noun, (tags, _) in NOUNS.items() if tag in tags.split())
    words = [word for word in operation.split("_") if word not in {noun, noun.removesuffix("s")}]
    if noun == "matches":
        words = [word for word in words if word != "match"]
    return noun, "_".join(words)

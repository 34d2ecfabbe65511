"""The root of all errors that are meant for a person."""


class ArenaError(Exception):
    """Raised when a request cannot be met; the message names the field, its value, and what would be right."""


class UsageError(ArenaError):
    """Raised when what was asked for does not exist or is out of range: a name, an option, a file, an address."""

"""Secrets, commitments, seeds and match ids: everything random about a tournament, from one 256-bit secret.

    secret ──SHA-256──▶ commitment, shown before entries open; the secret itself is shown when the tournament is over
    secret ──HMAC────▶ seed of a set, or of a match; the stream that shuffles the schedule

Numbers count inside the tournament and are written in decimal; no database id enters, so anyone who has the secret
can compute the same again.
"""

from __future__ import annotations

import hmac
import json
from base64 import b32encode
from collections.abc import Mapping, Sequence
from hashlib import sha256

from arena.core.errors import UsageError

SECRET_BYTES = 32
_ID_BYTES = 10


def parse_secret(text: str, field: str = "secret") -> bytes:
    """Read 64 hex digits.  Raises UsageError."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or len(text) != 2 * SECRET_BYTES:
        raise UsageError(f"{field} {text!r}: must be {2 * SECRET_BYTES} hex digits")
    return secret


def secret_commitment(secret: bytes) -> bytes:
    """Return the SHA-256 of a secret, which binds its tournament to it."""
    return sha256(secret).digest()


def shared_seed(secret: bytes, set_number: int) -> bytes:
    """Return the seed that all matches of a set share, in every attempt."""
    return _derive(secret, f"set/{set_number}")


def own_seed(secret: bytes, set_number: int, match_number: int, attempt: int) -> bytes:
    """Return the seed of one attempt at a match that shares its deal with no other."""
    return _derive(secret, f"set/{set_number}/{match_number}/{attempt}")


def schedule_seed(secret: bytes, *parts: str | int) -> bytes:
    """Return the seed of the stream that shuffles the schedule, or of a part of it, such as `("set", 7)`."""
    return _derive(secret, "/".join(("schedule", *map(str, parts))))


def series_seed(seed: bytes, set_number: int) -> bytes:
    """Return the seed of a set of `arena match --seed`: set 0 has the seed given, set i the HMAC of `i` under it."""
    return seed if set_number == 0 else _derive(seed, str(set_number))


def inputs_digest(
    *,
    commitment: bytes,
    game: str,
    variant: str,
    options: Mapping[str, int],
    time: str,
    seats: int,
    bots: Sequence[tuple[str, str]],
    cycles: int,
    trusted: bool,
    schedule: Mapping[str, object] | None = None,
    plan: Mapping[str, object] | None = None,
) -> bytes:
    """Return the 32 bytes that represent everything a tournament's matches follow from; `bots` are (bot, version).

    `schedule` is what it was given unless it is a round-robin without more; `plan` the terms of a plan, unless they are
    those of version 1.
    """
    inputs = {
        "format": "arena-inputs/1",
        "commitment": commitment.hex(),
        "game": game,
        "variant": variant,
        "options": dict(options),
        "time": time,
        "seats": seats,
        "bots": [list(bot) for bot in bots],
        "cycles": cycles,
        "trusted": trusted,
        **({"schedule": dict(schedule)} if schedule else {}),
        **({"plan": dict(plan)} if plan else {}),
    }
    return sha256(json.dumps(inputs, sort_keys=True, separators=(",", ":")).encode()).digest()


def match_id(inputs: bytes, set_number: int, match_number: int, attempt: int | None) -> str:
    """Name a match: 16 letters and digits that follow from the inputs and betray nothing of the seed.

    `attempt` is None where all attempts have the same seed, and are thus the same match.
    """
    tail = "" if attempt is None else f"/{attempt}"
    digest = sha256(b"arena-match-id/1" + inputs + f"set/{set_number}/{match_number}{tail}".encode()).digest()
    return b32encode(digest[:_ID_BYTES]).decode().lower()


def _derive(secret: bytes, purpose: str) -> bytes:
    return hmac.digest(secret, purpose.encode(), "sha256")

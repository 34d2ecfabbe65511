"""Where `arena login` keeps tokens: one file that only its user can read, in the user's configuration folder."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena.core import foreign_text
from arena.core.errors import ArenaError, UsageError


class LoginsUnusable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the file of logins cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Login:
    """An arena, who we are there, and the token that says so."""

    url: str
    name: str
    token: str = field(repr=False)


def file() -> Path:
    """Name the file of logins."""
    folder = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(folder).expanduser() / "bot-arena" / "logins.json"


def save(login: Login) -> None:
    """Keep a login; it is the one that counts from now on.  Raises LoginsUnusable."""
    kept = {url: {"name": each.name, "token": each.token} for url, each in _read().items()}
    kept.pop(login.url, None)
    kept[login.url] = {"name": login.name, "token": login.token}
    place = file()
    written = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            written.unlink()
        descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            json.dump(kept, opened, indent=2)
        written.replace(place)
    except OSError as error:
        raise LoginsUnusable(f"{place}: {error.strerror}; make it writable") from error


def find_last() -> Login | None:
    """Return the newest login; None where there is none.  Raises LoginsUnusable."""
    return next(reversed(_read().values()), None)


def find(url: str | None = None) -> Login:
    """Return the login to an arena, or the newest of all.  Raises UsageError and LoginsUnusable."""
    found = find_last() if url is None else _read().get(url)
    if found is None and url is None:
        raise UsageError("you are not signed in to any arena: `arena login URL`")
    if found is None:
        raise UsageError(f"arena {url}: you are not signed in there: `arena login {url}`")
    return found


def find_token(url: str) -> str | None:
    """Return the token for an arena; None where nobody has signed in there.  Raises LoginsUnusable."""
    login = _read().get(url)
    return None if login is None else login.token


def _read() -> dict[str, Login]:
    """Read the logins, the newest last."""
    place = file()
    try:
        found = json.loads(foreign_text.read(place))
        return {url: Login(url, each["name"], each["token"]) for url, each in found.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LoginsUnusable(f"{place}: {error.strerror}; make it readable") from error
    except (foreign_text.UnreadableText, ValueError, TypeError, KeyError, AttributeError) as error:
        raise LoginsUnusable(
            f"{place}: is not what `arena login` writes; remove it and sign in again"
        ) from error

"""The client: one connection to one arena, as one user; what is refused there is raised here, in the same words."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import quote, urlsplit

import httpx

from arena.errors import ArenaError, Refusal, UsageError

_API = "/api/v1"
_TIMEOUT_S = 30.0
_CSRF_HEADER = "X-CSRF-Token"


class ArenaUnreachable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when there is no answer at an address, or none of an arena."""


@dataclass(frozen=True, slots=True)
class Me:
    """Who the arena takes us for."""

    name: str
    role: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A token of ours; `created_at` is in seconds since the epoch, UTC."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: float


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made: it cannot be read again."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: float
    token: str = field(repr=False)


class ArenaClient:
    """A client of the arena at a URL, such as `https://arena.example.org`; use it in a `with` block.

    Everything raises Refusal, with the arena's code, field and status, or ArenaUnreachable.
    """

    def __init__(self, url: str, token: str | None = None, *, roots: str = "") -> None:
        """Trust the certificates of a file of roots beside the system's.  Raises UsageError."""
        self.url = check_url(url)
        context = ssl.create_default_context()
        if roots:
            try:
                context.load_verify_locations(roots)
            except (OSError, ssl.SSLError) as error:
                raise UsageError(f"root certificates {roots}: {error}; name a PEM file") from error
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=_TIMEOUT_S, verify=context)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        content: bytes | None = None,
        params: dict[str, str | int] | None = None,
    ) -> Any:  # noqa: ANN401 - whatever JSON the route answers with
        """Ask for a path of the API, such as `/me`, with a JSON body or with bytes; None where nothing comes back."""
        try:
            answer = self._http.request(method, f"{_API}{path}", json=body, content=content, params=params)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise ArenaUnreachable(
                f"arena {self.url}: {reason}; see that it runs and that the address is right"
            ) from error
        return None if answer.status_code == 204 else self._read(answer)

    def me(self) -> Me:
        """Say who we are there."""
        found = self.ask("GET", "/me")
        return Me(found["name"], found["role"], tuple(found["scopes"]))

    def login(self, name: str, password: str) -> Me:
        """Sign in with a password, for as long as this client lives or until `logout`."""
        found = self.ask("POST", "/login", {"name": name, "password": password})
        self._http.headers[_CSRF_HEADER] = found["csrf"]
        return Me(found["name"], found["role"], tuple(found["scopes"]))

    def logout(self) -> None:
        """Sign out again."""
        self.ask("POST", "/logout")
        del self._http.headers[_CSRF_HEADER]

    def tokens(self) -> tuple[Token, ...]:
        """List our tokens."""
        return tuple(
            Token(each["id"], each["label"], tuple(each["scopes"]), each["created_at"])
            for each in self.ask("GET", "/tokens")
        )

    def create_token(self, label: str, scopes: tuple[str, ...] = ()) -> NewToken:
        """Make a token with some of our scopes, or with all."""
        made = self.ask("POST", "/tokens", {"label": label, "scopes": list(scopes)})
        return NewToken(made["id"], made["label"], tuple(made["scopes"]), made["created_at"], made["token"])

    def revoke_token(self, token_id: str) -> None:
        """Revoke a token by its public id."""
        self.ask("DELETE", f"/tokens/{quote(token_id, safe='')}")

    def _read(self, answer: httpx.Response) -> Any:  # noqa: ANN401 - as `ask`
        kind = answer.headers.get("content-type", "").partition(";")[0]
        try:
            found = answer.json() if kind in {"application/json", "application/problem+json"} else None
        except ValueError:
            found = None
        if answer.is_success and found is not None:
            return found
        if isinstance(found, dict) and {"code", "detail"} <= found.keys():
            raise Refusal(
                found["code"], found["detail"], field=found.get("field", ""), status=answer.status_code
            )
        raise ArenaUnreachable(
            f"arena {self.url}: answers {answer.status_code} {answer.reason_phrase}, as no arena does;"
            " give the address of its dashboard"
        )


def check_url(url: str) -> str:
    """Check the address of an arena, and write it without what does not count.  Raises UsageError."""
    parts = urlsplit(url)
    try:
        fits = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment or parts.username or any(each.isspace() for each in url):
        raise UsageError(f"URL {url!r}: must be the arena's address, such as https://arena.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"

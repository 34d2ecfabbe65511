"""A connection to one arena: asks its API, reads its answers and streams; what is refused there is raised here, in the same words."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeAlias
from urllib.parse import urlsplit

import httpx

from arena.client.answers import ArenaUnreachable, Event, Refused, check_url, q
from arena.core.errors import UsageError
from arena.net.address import is_own
from arena.net.header_secret import clean_secret

__all__ = ["ArenaUnreachable", "Event", "Refused", "check_url", "q"]

_API = "/api/v1"
_TIMEOUT_S = 30.0
_JSON = frozenset({"application/json", "application/problem+json"})

Row: TypeAlias = dict[str, Any]
"""An answer, or one row of it, with the fields that the API's reference names."""

Values: TypeAlias = Mapping[str, Any]


class Connection:
    """A connection to the arena at a URL, such as `https://arena.example.org`; use it in a `with` block.

    Everything raises Refused or ArenaUnreachable.
    """

    def __init__(self, url: str, token: str | None = None, *, roots: str = "") -> None:
        """Trust the certificates of a file of roots beside the system's.  Raises UsageError."""
        self.url = check_url(url)
        # The system's roots take longer to load than a request to an arena on this machine.
        secure = self.url.startswith("https:")
        context = ssl.create_default_context() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if roots:
            try:
                context.load_verify_locations(roots)
            except (OSError, ssl.SSLError) as error:
                raise UsageError(f"root certificates {roots}: {error}; name a PEM file") from error
        headers = {} if token is None else {"Authorization": f"Bearer {clean_secret(token, 'token')}"}
        parts = urlsplit(self.url)
        proxied = not is_own(f"{parts.hostname}:{parts.port or 0}")  # no proxy leads back to this machine
        self._http = httpx.Client(
            base_url=self.url, headers=headers, timeout=_TIMEOUT_S, verify=context, trust_env=proxied
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def row(
        self,
        method: str,
        path: str,
        body: Values | None = None,
        *,
        content: bytes | None = None,
        params: Values | None = None,
        headers: Values | None = None,
    ) -> Row:
        """Ask for an object."""
        answer = self._ask(method, path, body, content=content, params=params, headers=headers)
        found: Row = self._json(answer)
        return found

    def maybe(
        self, method: str, path: str, *, params: Values | None = None, headers: Values | None = None
    ) -> Row | None:
        """Ask for an object where there may be none."""
        found: Row | None = self._json(self._ask(method, path, params=params, headers=headers))
        return found

    def rows(
        self,
        method: str,
        path: str,
        body: Values | None = None,
        *,
        content: bytes | None = None,
        params: Values | None = None,
    ) -> list[Row]:
        """Ask for a list."""
        found: list[Row] = self._json(self._ask(method, path, body, content=content, params=params))
        return found

    def content(
        self, method: str, path: str, *, params: Values | None = None, headers: Values | None = None
    ) -> bytes:
        """Ask for the bytes of a file."""
        return self._ask(method, path, params=params, headers=headers).content

    def send(
        self,
        method: str,
        path: str,
        body: Values | None = None,
        *,
        params: Values | None = None,
        headers: Values | None = None,
    ) -> None:
        """Ask for something to be done, where nothing comes back."""
        self._ask(method, path, body, params=params, headers=headers)

    def stream(self, path: str, headers: Values | None = None) -> Iterator[Event]:
        """Follow a stream to its end."""
        with (
            self._reaching(),
            self._http.stream("GET", f"{_API}{path}", headers=headers, timeout=None) as answer,
        ):
            if not answer.is_success:
                answer.read()
                self._check(answer)
            yield from _events(answer.iter_lines())

    def _ask(
        self,
        method: str,
        path: str,
        body: Values | None = None,
        *,
        content: bytes | None = None,
        params: Values | None = None,
        headers: Values | None = None,
        base: str = _API,
    ) -> httpx.Response:
        given = {name: value for name, value in (params or {}).items() if value is not None}
        with self._reaching():
            answer = self._http.request(
                method, f"{base}{path}", json=body, content=content, params=given, headers=headers
            )
        self._check(answer)
        return answer

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise ArenaUnreachable(
                f"arena {self.url}: {reason}; see that it runs and that the address is right"
            ) from error

    def _json(self, answer: httpx.Response) -> Any:  # noqa: ANN401 - whatever JSON the route answers with
        try:
            return answer.json()
        except ValueError:
            raise self._no_arena(answer) from None

    def _check(self, answer: httpx.Response) -> None:
        """Raise what the arena refuses; and where no arena answers, that."""
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if answer.is_success and kind != "text/html":
            return
        try:
            found = answer.json() if kind in _JSON else None
        except ValueError:
            found = None
        if not isinstance(found, dict) or not {"code", "detail"} <= found.keys():
            raise self._no_arena(answer)
        wait = answer.headers.get("retry-after", "")
        raise Refused(found, answer.status_code, int(wait) if wait.isdecimal() else None)

    def _no_arena(self, answer: httpx.Response) -> ArenaUnreachable:
        return ArenaUnreachable(
            f"arena {self.url}: answers {answer.status_code} {answer.reason_phrase}, as no arena does;"
            " give the address of its dashboard"
        )


def player_of(player: str | None) -> dict[str, str]:
    """Write the header that says whose table it is."""
    return {} if player is None else {"X-Player": player}


def _events(lines: Iterator[str]) -> Iterator[Event]:
    """Read server-sent events; lines that begin with a colon are comments."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if line and name:
            fields[name] = value.removeprefix(" ")
        elif not line and "data" in fields:
            yield Event(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))
            fields = {}

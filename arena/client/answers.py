"""Everything that both connections share: addresses, request bodies, decoded answers, refusals and events."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

import httpx

from arena.core.errors import ArenaError, Refusal, UsageError
from arena.core.problem_details import kind_of
from arena.net.address import is_own
from arena.net.header_secret import clean_secret
from arena.service.paging import Page

API = "/api/v1"
_TIMEOUT_S = 30.0
_JSON = frozenset({"application/json", "application/problem+json"})
_CSRF_HEADER = "X-CSRF-Token"
_SIGN_INS = frozenset({"/login", "/login/link"})

T = TypeVar("T")


class ArenaUnreachable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when there is no answer at an address, or none of an arena."""


class Refused(Refusal):
    """Raised when the arena refuses: with its code, field and status, its `remedy`, and the seconds to wait, if it names some."""

    def __init__(self, problem: Mapping[str, Any], status: int, retry_s: int | None) -> None:
        super().__init__(
            problem["code"], problem["detail"], field=problem.get("field", ""), kind=kind_of(status)
        )
        self.status = status
        self.remedy: str = problem.get("remedy", "")
        self.retry_s = retry_s


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a stream; a client that comes back shows the last `id` that it has seen, where the stream has one."""

    name: str
    data: Any
    id: str


class Sent(TypedDict, total=False):
    """Parts of a request; parameters, fields and headers that are None are left out."""

    params: Mapping[str, Any]
    body: object
    """Fields by name, or an object of the class that the API reads."""
    content: bytes
    headers: Mapping[str, str | None]


def client_options(url: str, token: str | None, roots: str) -> dict[str, Any]:
    """Return the options of an httpx client that trusts a file of roots as well as the system's.  Raises UsageError."""
    # The system's roots take longer to load than a request to an arena on this machine.
    secure = url.startswith("https:")
    context = ssl.create_default_context() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if roots:
        try:
            context.load_verify_locations(roots)
        except (OSError, ssl.SSLError) as error:
            raise UsageError(f"root certificates {roots}: {error}; name a PEM file") from error
    parts = urlsplit(url)
    return {
        "base_url": url,
        "headers": {} if token is None else {"Authorization": f"Bearer {clean_secret(token, 'token')}"},
        "timeout": _TIMEOUT_S,
        "verify": context,
        "trust_env": not is_own(f"{parts.hostname}:{parts.port or 0}"),  # no proxy leads to this machine
    }


def request_options(sent: Sent) -> dict[str, Any]:
    """Return the options of an httpx request."""
    options: dict[str, Any] = {
        "params": _given(sent.get("params", {})),
        "headers": _given(sent.get("headers", {})),
    }
    if "content" in sent:
        options["content"] = sent["content"]
    elif "body" in sent:
        body = sent["body"]
        kind: Any = type(body)
        options["json"] = (
            _given(body)
            if isinstance(body, Mapping)
            else _adapter(kind).dump_python(body, mode="json", exclude_defaults=True)
        )
    return options


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def keep_session(headers: MutableMapping[str, str], path: str, answer: httpx.Response) -> None:
    """Send the session's CSRF token with all requests between signing in and signing out."""
    if path in _SIGN_INS:
        headers[_CSRF_HEADER] = answer.json()["csrf"]
    elif path == "/logout":
        headers.pop(_CSRF_HEADER, None)


@contextmanager
def reaching(url: str) -> Iterator[None]:
    """Raise ArenaUnreachable for errors of the connection."""
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        raise ArenaUnreachable(
            f"arena {url}: {reason}; see that it runs and that the address is right"
        ) from error


def check(url: str, answer: httpx.Response) -> None:
    """Raise Refused for a problem, or ArenaUnreachable for an answer that no arena gives."""
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if answer.is_success and kind != "text/html":
        return
    try:
        found = answer.json() if kind in _JSON else None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not {"code", "detail"} <= found.keys():
        raise _no_arena(url, answer)
    wait = answer.headers.get("retry-after", "")
    raise Refused(found, answer.status_code, int(wait) if wait.isdecimal() else None)


def decode(url: str, kind: type[T], answer: httpx.Response) -> T:
    """Decode a JSON answer.  Raises ArenaUnreachable."""
    found: T = _decoded(url, kind, _json(url, answer))
    return found


def decode_page(url: str, kind: type[T], answer: httpx.Response, items: str) -> Page[T]:
    """Decode a page, whose items are in the field `items`.  Raises ArenaUnreachable."""
    found = _json(url, answer)
    if isinstance(found, list):  # an arena of release 0.2 does not know pages
        found = {items: found, "next": None}
    rows: tuple[T, ...] = _decoded(url, tuple[kind, ...], found.get(items))  # type: ignore[valid-type]  # known at run time
    return Page(rows, found.get("next"))


def _json(url: str, answer: httpx.Response) -> Any:  # noqa: ANN401 - any JSON
    try:
        return answer.json()
    except ValueError:
        raise _no_arena(url, answer) from None


def _decoded(url: str, kind: Any, found: object) -> Any:  # noqa: ANN401 - an object of `kind`
    from pydantic import ValidationError  # noqa: PLC0415 - most of the time that importing the client would take

    try:
        return _adapter(kind).validate_python(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ArenaUnreachable(
            f"arena {url}: answers what this release cannot read, {place}: {first['msg']}; use the arena's release"
        ) from error


@cache
def _adapter(kind: Any) -> Any:  # noqa: ANN401 - pydantic's are as various as the answers
    from pydantic import TypeAdapter  # noqa: PLC0415 - as above

    return TypeAdapter(kind)


def _no_arena(url: str, answer: httpx.Response) -> ArenaUnreachable:
    return ArenaUnreachable(
        f"arena {url}: answers {answer.status_code} {answer.reason_phrase}, as no arena does;"
        " give the address of its dashboard"
    )


def q(name: object) -> str:
    """Write a name or a number as a part of a path."""
    return quote(str(name), safe="@")


def check_url(url: str) -> str:
    """Check the address of an arena, and write it without what does not count.  Raises UsageError."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        raise UsageError("URL: must be the arena's address, such as https://arena.example.org") from None
    if not fits or parts.query or parts.fragment or parts.username or any(each.isspace() for each in url):
        # What may be a secret is left out: a password, or the code of a sign-in link.
        shown = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        raise UsageError(
            f"URL {shown!r}: must be the arena's address alone, such as https://arena.example.org"
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


class EventReader:
    """Reader of server-sent events, line by line; lines that begin with a colon are comments.  Mutable."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def read(self, line: str) -> Event | None:
        """Return the event that a line completes."""
        name, _, value = line.partition(":")
        if line and name:
            self._fields[name] = value.removeprefix(" ")
        elif not line and "data" in self._fields:
            fields, self._fields = self._fields, {}
            return Event(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))
        return None

"""The OpenAPI document: what FastAPI writes, made complete.

Each operation says all that it may answer with: problems as `application/problem+json`, those that every operation of its kind has
among them.  What is sent and what comes back has an example, put together from those of its fields, and the request is there as code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Any, TypeAlias

from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi

from arena.web.http.code_samples import samples
from arena.web.http.problems import Problem, remedy

Json: TypeAlias = Any
ADDRESS = "/openapi.json"
PROBLEM = "application/problem+json"
_REF = {"$ref": "#/components/schemas/Problem"}
_AT = 1763726400.0
_HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

_PROBLEMS: Mapping[int, tuple[str, str, str]] = {
    400: ("upload_broken_off", "upload", "upload: broke off before its end"),
    401: ("not_signed_in", "", "token: is missing; sign in first"),
    403: (
        "scope_missing",
        "scope",
        "scope 'tournaments': ada is author, which has bots, read; an admin can change that",
    ),
    404: ("unknown", "", "tournament 99: there is none"),
    408: ("request_timeout", "", "The body came too slowly: 65536 bytes so far"),
    409: ("wrong_state", "tournament_id", "tournament 7: is finished; to pause it must be running"),
    410: ("gone", "", "record of match lq36zvoz5bvxwjub: is no longer stored; its result is"),
    413: ("too_large", "", "The body is too large: at most 262144 bytes are taken here."),
    422: ("invalid", "limit", "limit '0': Input should be greater than or equal to 1."),
    429: ("rate_limited", "", "requests of this account: at most 600 in 60 s; wait 12 s"),
    500: ("record_unreadable", "", "the stored record cannot be read: it is damaged"),
    503: ("unavailable", "", "The database is not responding."),
}
"""An example of each problem: its code, field and detail."""

_BY_NAME: Mapping[str, str] = {
    "algorithm": "arena-elo/2",
    "commitment": _HEX,
    "input_sha256": _HEX,
    "basis": _HEX,
    "secret": _HEX,
    "seed": _HEX,
    "sha256": _HEX,
    "id": "lq36zvoz5bvxwjub",
    "match_id": "lq36zvoz5bvxwjub",
    "end": "completed",
    "tournament": "Lost Cities, 5 bots, 2 seats",
    "role": "author",
}
"""Examples of texts that have none of their own, by the names of their fields."""

_TAGS: Mapping[str, str] = {
    "games": "The games with their variants, seats and options, and their records in bulk.",
    "bots": "Bots: submitting, versions, challenges, logs, profiles.",
    "matches": "Matches and their records.",
    "live": "The matches that are being played.",
    "ratings": "Elo tables, leaderboards and their history.",
    "tournaments": "Tournaments: creating, directing, standings, decisions, export.",
    "ladders": "Ladders, which rate all active bots of a pool all the time.",
    "events": "Streams of events, as server-sent events.",
    "play": "A person's own games against house bots.",
    "account": "Your account: signing in, tokens, sessions, quotas.",
    "docs": "The docs and the rules of the games, as Markdown.",
    "sdk": "The SDK to download.",
    "status": "The state of the arena.",
    "users": "Users and invitations, for admins.",
    "admin": "Queues, workers, referees, faults, for admins.",
    "health": "The health check for load balancers.",
}
"""Groups of operations in the order of the reference, with what is in each."""


def install(app: FastAPI) -> None:
    """Serve this document from an app: it takes seconds to make, so it is made once, in a thread, and kept as sent."""
    making = Lock()
    made: list[bytes] = []

    def written() -> bytes:
        with making:
            if not made:
                document = get_openapi(
                    title=app.title, version=app.version, description=app.description, routes=app.routes
                )
                made.append(json.dumps(_complete(document), ensure_ascii=False).encode())
        return made[0]

    def document() -> dict[str, Json]:
        found: dict[str, Json] = json.loads(written())
        return found

    def show() -> Response:
        return Response(written(), media_type="application/json")

    app.openapi = document  # type: ignore[method-assign]  # as FastAPI's manual has it
    app.get(ADDRESS, include_in_schema=False)(show)


def operations(document: Mapping[str, Json]) -> Iterator[tuple[str, str, dict[str, Json]]]:
    """Yield the method, path and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _complete(document: dict[str, Json]) -> dict[str, Json]:
    schemas = document["components"]["schemas"]
    schemas.setdefault("Problem", Problem.model_json_schema())
    for method, path, operation in operations(document):
        if path.startswith("/api/"):
            _add_problems(method, operation)
        for parameter in operation.get("parameters", ()):
            if "example" not in parameter:
                found = _Examples(schemas).of(parameter["schema"], parameter["name"])
                parameter.update({} if found is None else {"example": found})
        _show(operation.get("requestBody", {}), _Examples(schemas, sent=True))
        for status, answer in operation["responses"].items():
            if status < "300":
                _show(answer, _Examples(schemas))
        operation["x-codeSamples"] = samples(method, path, operation, schemas)
    document["tags"] = [{"name": tag, "description": text} for tag, text in _TAGS.items()]
    return document


def _show(holder: dict[str, Json], examples: _Examples) -> None:
    """Add an example to a body."""
    content = holder.get("content", {}).get("application/json", {})
    if content.get("schema"):
        content.setdefault("example", examples.of(content["schema"], ""))


def _add_problems(method: str, operation: dict[str, Json]) -> None:
    """Write each problem as it is answered, with those that come from around the routes: the store may be away at any time."""
    answers = operation["responses"]
    statuses = {int(status) for status in answers if status >= "400"} | {503}
    if method != "GET":
        statuses.add(403)  # a write from another site's page
    if "requestBody" in operation:
        statuses |= {413, 422}
    if "security" in operation:
        statuses |= {401, 429}
    for status in sorted(statuses):
        answers[str(status)] = _problem(status)


def _problem(status: int) -> dict[str, Json]:
    code, field, detail = _PROBLEMS[status]
    title = HTTPStatus(status).phrase
    example = {
        "status": status,
        "code": code,
        "field": field,
        "title": title,
        "detail": detail,
        "remedy": remedy(status),
    }
    answer: dict[str, Json] = {
        "description": title,
        "content": {PROBLEM: {"schema": _REF, "example": example}},
    }
    if status == 429:
        seconds = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
        answer["headers"] = {"Retry-After": seconds}
    return answer


@dataclass(frozen=True, slots=True)
class _Examples:
    """Makes examples of schemas; of what is sent, without the fields that one may leave out and that show nothing."""

    schemas: Mapping[str, Json]
    sent: bool = False

    def of(self, schema: Mapping[str, Json], name: str) -> Json:
        """Return an example of the schema of a field."""
        if "$ref" in schema:
            return self.of(self.schemas[schema["$ref"].rpartition("/")[2]], name)
        known = [
            *schema.get("examples", ()),
            *schema.get("enum", ()),
            schema.get("const", schema.get("default")),
        ]
        if known[0] is not None:
            return known[0]
        if "anyOf" in schema:
            return self._either(schema["anyOf"], name)
        if schema.get("type") == "object":
            return self._object(schema)
        if schema.get("type") == "array":
            return [self.of(schema.get("items", {}), name)]
        return _plain(schema, name)

    def _either(self, schemas: list[Json], name: str) -> Json:
        """Return null where a field may be null, else an example of its first type."""
        if name and {"type": "null"} in schemas:
            return None
        return self.of(next(each for each in schemas if each.get("type") != "null"), name)

    def _object(self, schema: Mapping[str, Json]) -> Json:
        needed = schema.get("required", ())
        return {
            field: self.of(shape, field)
            for field, shape in schema.get("properties", {}).items()
            if not self.sent or field in needed or shape.get("examples")
        }


def _plain(schema: Mapping[str, Json], name: str) -> Json:
    """Return an example of a text, a number or a truth value."""
    kind = schema.get("type")
    if kind in {"integer", "number"}:
        value = _AT if name == "at" or name.endswith("_at") else max(schema.get("minimum", 0), 1)
        return int(value) if kind == "integer" else value
    if kind == "string":
        return _BY_NAME.get(name, name.replace("_", " ") or "text")
    return True if kind == "boolean" else None

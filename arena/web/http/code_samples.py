"""Code samples of the API's operations in its OpenAPI document: the same request by curl and by the Python client."""

from __future__ import annotations

import json
import keyword
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from arena.web.http.client_names import MAX_KEYWORDS, named

Json: TypeAlias = Mapping[str, Any]
BASE = "https://arena.example.org"
"""The address in the samples; the reference shows its own in place of it."""

_FILE = "my_bot.py"


def samples(method: str, path: str, operation: Json, schemas: Json) -> list[dict[str, str]]:
    """Return the samples of an operation; none in Python for one that the client does not have."""
    found = [{"lang": "bash", "label": "curl", "source": _curl(method, path, operation)}]
    if not operation.get("deprecated") and path.startswith("/api/"):
        found.append({"lang": "python", "label": "Python", "source": _python(operation, schemas)})
    return found


def _curl(method: str, path: str, operation: Json) -> str:
    given = {each["name"]: each.get("example", "") for each in _needed(operation, "path")}
    address = re.sub(r"\{(\w+)\}", lambda part: quote(str(given[part[1]]), safe="@"), path)
    query = {each["name"]: each.get("example", "") for each in _needed(operation, "query")}
    parts = [f"curl {shlex.quote(BASE + address + ('?' + urlencode(query) if query else ''))}"]
    content = operation.get("requestBody", {}).get("content", {})
    if method != "GET" and not (method == "POST" and content):
        parts.append(f"-X {method}")
    if "security" in operation:
        parts.append('-H "Authorization: Bearer $ARENA_TOKEN"')
    headers = {each["name"]: each.get("example", "") for each in _needed(operation, "header")}
    parts += [f"-H {shlex.quote(f'{header}: {value}')}" for header, value in headers.items()]
    if body := content.get("application/json"):
        parts.append("-H 'Content-Type: application/json'")
        parts.append(f"-d {shlex.quote(json.dumps(body.get('example', {}), ensure_ascii=False))}")
    elif content:
        parts.append(f"-H 'Content-Type: application/octet-stream' --data-binary @{_FILE}")
    return " \\\n  ".join(parts)


def _python(operation: Json, schemas: Json) -> str:
    noun, name = named(operation["operationId"], operation["tags"][0])
    arguments = [repr(each.get("example")) for each in _needed(operation, "path")]
    body, classes = _body(operation, schemas)
    positional = [each for each in body if "=" not in each.partition("(")[0]]
    keywords = [
        f"{_argument(each['name'])}={each.get('example')!r}"
        for place in ("query", "header")
        for each in _needed(operation, place)
    ]
    written = [*arguments, *positional, *keywords, *(each for each in body if each not in positional)]
    call = f"arena.{noun}.{name}({', '.join(written)})"
    token = ", token" if "security" in operation else ""
    imports = [
        "from arena.client import RemoteArena",
        *(f"from arena.client.types import {each}" for each in classes),
    ]
    return "\n".join([*imports, "", f'with RemoteArena("{BASE}"{token}) as arena:', *_used(call, operation)])


def _used(call: str, operation: Json) -> Iterator[str]:
    """Yield the lines that call a method and show what it returns."""
    answer = next(each for status, each in sorted(operation["responses"].items()) if status < "300")
    content = answer.get("content", {})
    if not content:
        yield f"    {call}"
    elif "text/event-stream" in content:
        yield f"    for event in {call}:"
        yield "        print(event)"
    elif any(each["name"] == "cursor" for each in operation.get("parameters", ())):
        yield f"    for item in {call}:"
        yield "        print(item)"
    else:
        yield f"    print({call})"


def _body(operation: Json, schemas: Json) -> tuple[list[str], list[str]]:
    """Return the arguments of a body, and the classes that they need."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return [], []
    if "application/json" not in content:
        return [f'open("{_FILE}", "rb").read()'], []
    schema, example = content["application/json"]["schema"], content["application/json"].get("example", {})
    fields = _resolved(schema, schemas).get("properties", {})
    written = [f"{field}={value!r}" for field, value in example.items()]
    if len(fields) <= MAX_KEYWORDS:
        return written, []
    kind = schema["$ref"].rpartition("/")[2]
    return [f"{kind}({', '.join(written)})"], [kind]


def _needed(operation: Json, place: str) -> list[Json]:
    return [each for each in operation.get("parameters", ()) if each["in"] == place and each["required"]]


def _argument(wire_name: str) -> str:
    name = wire_name.removeprefix("x-").replace("-", "_")
    return name + "_" * keyword.iskeyword(name)


def _resolved(schema: Json, schemas: Json) -> Json:
    found: Json = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found

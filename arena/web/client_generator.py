"""Generator of the API's clients in Python, arena/client/remote_arena.py and its twin for asyncio: `make client`.

Names, parameters, defaults and texts come from the OpenAPI document; classes of answers and bodies from the routes.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent, wrap
from types import NoneType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from fastapi import FastAPI
from fastapi.routing import APIRoute

from arena.service.paging import DEFAULT_LIMIT, MAX_LIMIT, Page
from arena.web import api_routes
from arena.web.bots import sdk_downloads
from arena.web.http import openapi_document
from arena.web.http.client_names import MAX_KEYWORDS, NOUNS, named

Json: TypeAlias = Mapping[str, Any]
FOLDER = Path(__file__).parents[1] / "client"
ROOT = "/api/v1"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a method; `place` is where the request has it: path, query, header, body, object, content or page."""

    name: str
    wire_name: str
    place: str
    annotation: str
    default: str | None
    text: str

    @property
    def declared(self) -> str:
        """The parameter in the signature."""
        default = "" if self.default is None else f" = {self.default}"
        return f"{self.name}: {self.annotation}{default}"


_PAGING = (
    Parameter("limit", "limit", "page", "int", str(DEFAULT_LIMIT), f"Items of a page, at most {MAX_LIMIT}."),
    Parameter(
        "cursor", "cursor", "page", "str | None", "None", "`next` of the page before; None for the first."
    ),
)
"""Parameters of all operations that return pages."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API as a method of a client."""

    noun: str
    name: str
    method: str
    path: str
    texts: tuple[str, ...]
    statuses: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    asking: str
    """The connection's method that sends the request."""
    answer: type | None
    """The class of the answer, or of its items."""
    items: str
    """The field of a page that has its items."""


def read_operations() -> Iterator[tuple[Operation, tuple[type, ...]]]:
    """Yield the operations that are not deprecated, each with the classes that its signature names."""
    app = FastAPI()
    app.router.routes = [*api_routes.ROUTES, *sdk_downloads.router.routes]
    openapi_document.install(app)
    document = app.openapi()
    routes = {
        (method, route.path_format): route
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    for method, path, described in openapi_document.operations(document):
        if not described.get("deprecated"):
            yield _operation(method, path, described, routes[method, path], document["components"]["schemas"])


def _operation(
    method: str, path: str, described: Json, route: APIRoute, schemas: Json
) -> tuple[Operation, tuple[type, ...]]:
    noun, name = named(route.name, described["tags"][0])
    asking, answer, items = _answer(route)
    parameters = [_parameter(each) for each in described.get("parameters", ()) if not each.get("deprecated")]
    if items:
        parameters = [*(each for each in parameters if each.name not in {"limit", "cursor"}), *_PAGING]
    classes = [] if answer is None else [answer]
    content = described.get("requestBody", {}).get("content", {})
    if "application/octet-stream" in content:
        parameters.append(Parameter("data", "", "content", "bytes", None, "The bytes."))
    elif content:
        body: Any = route.dependant.body_params[0].field_info.annotation
        schema = _resolved(content["application/json"]["schema"], schemas)
        fields = schema["properties"]
        if len(fields) > MAX_KEYWORDS:
            parameters.append(Parameter("body", "", "object", body.__name__, None, schema["description"]))
            classes.append(body)
        needed = schema.get("required", ())
        parameters += (
            _field(field, each, needed=field in needed)
            for field, each in fields.items()
            if len(fields) <= MAX_KEYWORDS
        )
    operation = Operation(
        noun,
        name,
        method,
        path.removeprefix(ROOT),
        (described["summary"], *described.get("description", "").split("\n\n")),
        tuple(sorted(status for status in described["responses"] if status >= "400")),
        tuple(parameters),
        asking,
        answer,
        items,
    )
    return operation, tuple(classes)


def _answer(route: APIRoute) -> tuple[str, type | None, str]:
    """Return the connection's method that reads the answer of a route, the class of the answer or its items, and the field of those."""
    model: Any = route.response_model
    if model is None:
        asking = "stream" if "EventStream" in str(route.response_class) else "ask_bytes"
        return "send" if route.status_code == 204 else asking, None, ""
    parts = get_args(model)
    page = next((part for part in (model, *parts) if get_origin(part) is Page), None)
    if page is not None:
        if "GET" not in (route.methods or ()):
            return "ask_rows", get_args(page)[0], ""
        return "ask_pages", get_args(page)[0], "items"
    if parts:
        asking = "ask_rows" if get_origin(model) in {tuple, list} else "ask_maybe"
        return asking, next(part for part in parts if part is not NoneType), ""
    fields = get_type_hints(model)
    lists = [name for name, kind in fields.items() if get_origin(kind) is tuple]
    if "next" in fields and len(lists) == 1:  # a page whose items have a name of their own
        return "ask_pages", get_args(fields[lists[0]])[0], lists[0]
    return "ask", model, ""


def _resolved(schema: Json, schemas: Json) -> Json:
    found: Json = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def _parameter(described: Json) -> Parameter:
    schema = described["schema"]
    name = described["name"].removeprefix("x-").replace("-", "_")
    default = None if described["required"] else repr(_default(schema))
    return Parameter(
        name + "_" * keyword.iskeyword(name),
        described["name"],
        described["in"],
        _annotation(schema),
        default,
        described["description"],
    )


def _field(name: str, schema: Json, *, needed: bool) -> Parameter:
    default = None if needed else repr(_default(schema))
    return Parameter(name, name, "body", _annotation(schema), default, schema["description"])


def _default(schema: Json) -> Any:  # noqa: ANN401 - any JSON
    found = schema.get("default")
    return tuple(found) if isinstance(found, list) else found


def _annotation(schema: Json) -> str:
    """Write a JSON schema as the annotation of a parameter."""
    if "enum" in schema or "const" in schema:
        return f"Literal[{', '.join(map(repr, schema.get('enum') or [schema['const']]))}]"
    if "anyOf" in schema:
        return " | ".join(_annotation(each) for each in schema["anyOf"])
    if schema["type"] == "array":
        return f"Sequence[{_annotation(schema['items'])}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}[
        schema["type"]
    ]


def write_client(*, asynchronous: bool) -> str:
    """Write the module of a client."""
    found = [*read_operations()]
    prefix, connection = ("AsyncRemote", "AsyncConnection") if asynchronous else ("Remote", "Connection")
    classes = sorted({each for _, named in found for each in named}, key=lambda each: each.__name__)
    names = [each.__name__ for each in classes]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        sys.exit(f"client_generator: several classes are called {', '.join(doubled)}")
    modules = sorted({each.__module__ for each in classes})
    imports = "".join(
        f"    from {module} import {', '.join(each.__name__ for each in classes if each.__module__ == module)}\n"
        for module in modules
    )
    iterator = "AsyncIterator" if asynchronous else "Iterator"
    twin = ", for asyncio" if asynchronous else ""
    head = (
        f'"""Generated by `make client` from the OpenAPI document: a class for each noun of the API{twin}."""\n'
        "\nfrom __future__ import annotations\n\n"
        f"from collections.abc import {iterator}, Sequence\nfrom typing import TYPE_CHECKING, Literal\n\n"
        f"from arena.client.answers import Event, q\nfrom arena.client.connections import {connection}\n\n"
        f"if TYPE_CHECKING:\n{imports}    from arena.service.paging import {'AsyncPages' if asynchronous else 'Pages'}\n"
    )
    sections = [head]
    for noun, (_, text) in NOUNS.items():
        methods = [_method(each, asynchronous=asynchronous) for each, _ in found if each.noun == noun]
        sections.append(
            f'class {prefix}{noun.capitalize()}:\n    """{text}"""\n\n'
            f"    def __init__(self, connection: {connection}) -> None:\n        self._connection = connection\n\n"
            + "\n\n".join(indent(each, "    ") for each in methods)
        )
    attributes = "".join(f"        self.{noun} = {prefix}{noun.capitalize()}(self)\n" for noun in NOUNS)
    sections.append(
        f"class {prefix}Arena({connection}):\n"
        f'    """The arena at a URL, such as `https://arena.example.org`; use it in {"an `async with`" if asynchronous else "a `with`"} block.\n\n'
        '    Everything raises Refused or ArenaUnreachable.\n    """\n\n'
        '    def __init__(self, url: str, token: str | None = None, *, roots: str = "") -> None:\n'
        '        """Trust the certificates of a file of roots as well as the system\'s.  Raises UsageError."""\n'
        f"        super().__init__(url, token, roots=roots)\n{attributes}"
    )
    return "\n\n\n".join(sections)


def _method(operation: Operation, *, asynchronous: bool) -> str:
    """Write an operation as a method."""
    given = operation.parameters
    positional = [each for each in given if each.place in {"path", "object", "content"}]
    named = [each for each in given if each not in positional]
    named.sort(key=lambda each: each.default is not None)
    signature = ", ".join(
        [
            "self",
            *(each.declared for each in positional),
            *["*"][: len(named)],
            *(each.declared for each in named),
        ]
    )
    name = "" if operation.answer is None else operation.answer.__name__
    prefix = "Async" if asynchronous else ""
    iterator = f"{prefix}Iterator"
    returned = {
        "send": "None",
        "ask_bytes": "bytes",
        "ask_pages": f"{prefix}Pages[{name}]",
        "stream": f"{iterator}[Event]",
        "ask": name,
        "ask_maybe": f"{name} | None",
        "ask_rows": f"tuple[{name}, ...]",
    }[operation.asking]
    waits = asynchronous and operation.asking not in {"stream", "ask_pages"}
    head = f"{'async ' * waits}def {operation.name}({signature}) -> {returned}:\n"
    lines = [f"from {operation.answer.__module__} import {name}\n"] if operation.answer else []
    call = f"{'await ' * waits}self._connection.{operation.asking}({', '.join(_arguments(operation))})"
    lines.append(call if operation.asking == "send" else f"return {call}")
    return head + indent(f'"""{_docstring(operation, [*positional, *named])}"""\n' + "\n".join(lines), "    ")


def _arguments(operation: Operation) -> Iterator[str]:
    """Yield the arguments of the connection's method."""
    if operation.answer is not None:
        yield operation.answer.__name__
    if operation.asking not in {"stream", "ask_pages"}:
        yield repr(operation.method)
    path = re.sub(r"\{(\w+)\}", r"{q(\1)}", operation.path)
    yield f'f"{path}"' if "{" in path else f'"{path}"'
    for place, keyword_name in (("query", "params"), ("header", "headers"), ("body", "body")):
        sent = [each for each in operation.parameters if each.place == place]
        if sent:
            yield f"{keyword_name}={{{', '.join(f'{each.wire_name!r}: {each.name}' for each in sent)}}}"
    if operation.items:
        yield f'items="{operation.items}", limit=limit, cursor=cursor'
    for each in operation.parameters:
        if each.place in {"object", "content"}:
            yield f"{'body' if each.place == 'object' else 'content'}={each.name}"


def _docstring(operation: Operation, parameters: list[Parameter]) -> str:
    """Write the texts of an operation, with its parameters and what it raises."""
    summary, *texts = operation.texts
    blocks = [f"{summary}.", *("\n".join(wrap(text, 100)) for text in texts if text)]
    if parameters:
        blocks.append(
            "Args:\n" + "\n".join(f"    {each.name}: {' '.join(each.text.split())}" for each in parameters)
        )
    raised = f"    Refused: The arena refuses; its status is {_either(operation.statuses)}.\n"
    blocks.append(f"Raises:\n{raised}    ArenaUnreachable: No arena answers at the URL.")
    return "\n\n".join(blocks).replace("\\", "\\\\") + "\n"


def _either(statuses: tuple[str, ...]) -> str:
    *first, last = statuses
    return f"{', '.join(first)} or {last}" if first else last


def write_types() -> str:
    """Write the module that exports the classes of bodies and answers."""
    classes = {each for _, named in read_operations() for each in named}
    lines = sorted(f"from {each.__module__} import {each.__name__}\n" for each in classes)
    names = "".join(f'    "{name}",\n' for name in sorted(each.__name__ for each in classes))
    return (
        '"""Generated by `make client`: the classes of what the API reads and answers with."""\n\n'
        f"{''.join(lines)}\n__all__ = [\n{names}]\n"
    )


def main() -> None:
    """Generate, or check and exit with 1 where a file is stale."""
    written = {
        "remote_arena.py": write_client(asynchronous=False),
        "async_arena.py": write_client(asynchronous=True),
        "types.py": write_types(),
    }
    for name, source in written.items():
        text = subprocess.run(
            [Path(sys.executable).parent / "ruff", "format", "--stdin-filename", "client.py", "-"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        file = FOLDER / name
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"stale: arena/client/{name}; run `make client`")


if __name__ == "__main__":
    main()

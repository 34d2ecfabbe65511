"""The reference of the JSON API, drawn from its OpenAPI document by ourselves: nothing is fetched from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response

from arena.web.responses.response_cache import CACHED
from arena.web.ui.templating import render

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _Operation:
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[dict[str, Any], ...]
    body: str | None
    """The name of the model that is sent."""
    needs_token: bool
    answers: tuple[tuple[str, str, str | None], ...]
    """Status, description, name of the model."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    type: str
    description: str


@router.get("/reference")
def show(request: Request) -> Response:
    """Show the reference."""
    document = request.app.openapi()
    operations = [
        _read_operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    models = {
        name: (schema.get("description", ""), _read_fields(schema))
        for name, schema in document["components"]["schemas"].items()
        if "properties" in schema
    }
    return render(request, "reference.html", operations=operations, models=models)


def _read_operation(method: str, path: str, operation: dict[str, Any]) -> _Operation:
    return _Operation(
        method.upper(),
        path,
        operation.get("summary", ""),
        operation.get("description", ""),
        tuple(operation.get("parameters", ())),
        _model(operation.get("requestBody", {})),
        "security" in operation,
        tuple(
            (status, answer.get("description", ""), _model(answer))
            for status, answer in sorted(operation["responses"].items())
        ),
    )


def _model(answer: dict[str, Any]) -> str | None:
    schemas = [content.get("schema", {}) for content in answer.get("content", {}).values()]
    return next((name for schema in schemas if (name := _name(schema))), None)


def _name(schema: dict[str, Any]) -> str | None:
    inner = schema.get("items", schema)
    return inner["$ref"].rpartition("/")[2] if "$ref" in inner else None


def _read_fields(schema: dict[str, Any]) -> tuple[_Field, ...]:
    return tuple(
        _Field(name, _type(field), field.get("description", ""))
        for name, field in schema["properties"].items()
    )


def _type(schema: dict[str, Any]) -> str:
    """Write a type in words: `list of Seat`, `number or null`."""
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(f"“{value}”" for value in schema["enum"])
    return str(schema.get("type", "any"))

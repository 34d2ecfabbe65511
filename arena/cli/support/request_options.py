"""Options of commands that send a request: their texts and defaults are those of its fields in the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from pydantic import BaseModel, TypeAdapter, ValidationError

from arena.core.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
Request = TypeVar("Request", bound=BaseModel)

_TYPES = {"integer": int, "number": float, "string": str}


def request_options(request: type, metavars: Mapping[str, str]) -> Callable[[Command], Command]:
    """Add an option for each of these fields of a request; `delay_s` is `--delay`, in SECONDS."""
    fields: dict[str, dict[str, Any]] = TypeAdapter(request).json_schema()["properties"]

    def add(command: Command) -> Command:
        for name, metavar in reversed(tuple(metavars.items())):
            field = fields[name]
            meaning, _, without = field["description"].rstrip(".").partition("; null: ")
            usual = without or field["default"]
            command = click.option(
                f"--{name.removesuffix('_s').replace('_', '-')}",
                name,
                type=_TYPES[field.get("type") or field["anyOf"][0]["type"]],
                default=field["default"],
                metavar=metavar,
                help=f"{meaning}." + ("" if usual in (None, "") else f"  [default: {usual}]"),
            )(command)
        return command

    return add


def read_request(request: type[Request], values: Mapping[str, object]) -> Request:
    """Return the request that options make.  Raises UsageError naming the first field that is wrong."""
    try:
        return request.model_validate(values)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        problem = wrong["msg"].replace("Input should", "must")
        raise UsageError(f"{wrong['loc'][0]} {wrong['input']!r}: {problem}") from error

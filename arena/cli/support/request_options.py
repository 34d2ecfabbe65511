"""Options of commands that send a request: their texts and defaults are those of its fields in the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from pydantic import TypeAdapter

Command = TypeVar("Command", bound=Callable[..., Any])

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
                help=f"{meaning}." + ("" if usual is None else f"  [default: {usual}]"),
            )(command)
        return command

    return add

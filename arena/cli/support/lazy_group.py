"""Groups of commands whose modules are imported when a command is called, so that it does not wait for those of others."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from arena.core.import_speed import collector_paused


class LazyGroup(click.Group):
    """A group that knows only the names and places of its commands."""

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - as click's
        places: Mapping[str, str],
        hidden: Mapping[str, str] = MappingProxyType({}),
        **settings: Any,  # noqa: ANN401 - as click's
    ) -> None:
        """Take the place of each command, `module:attribute`, and those of former names, which work but are not listed."""
        super().__init__(*arguments, **settings)
        self._places = places
        self._hidden = hidden

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands, in order."""
        return sorted(self._places)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        place = self._places.get(name) or self._hidden.get(name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        with collector_paused():
            command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - a slip of ours, not of the user's
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first sentences of their docstrings, which are read without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, first_sentence(place)) for name, place in sorted(self._places.items())]
            )


def first_sentence(place: str) -> str:
    """Return the first sentence of the docstring of a function, `module:attribute`, without its period."""
    module, _, attribute = place.partition(":")
    spec = find_spec(module)
    assert spec is not None  # noqa: S101 - as above
    assert spec.origin is not None  # noqa: S101
    for node in ast.parse(Path(spec.origin).read_bytes()).body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return (ast.get_docstring(node) or "").partition("\n")[0].partition(".  ")[0].rstrip(".")
    raise LookupError(f"{place}: has no such function")

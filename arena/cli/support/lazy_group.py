"""Groups of commands whose modules are imported when they are asked for: what does without a store starts without one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from arena.core.import_speed import collector_paused


class LazyGroup(click.Group):
    """A group that knows only the names and places of its commands."""

    def __init__(self, *arguments: Any, places: Mapping[str, str], **settings: Any) -> None:  # noqa: ANN401 - as click's
        """`places` gives for each name where its command is: `module:attribute`."""
        super().__init__(*arguments, **settings)
        self._places = places

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name the commands, in order."""
        return sorted(self._places)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in self._places:
            return None
        module, _, attribute = self._places[name].partition(":")
        with collector_paused():
            command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - a slip of ours, not of the user's
        return command

"""Groups of commands of which one is meant where none is named: `arena ratings GAME` is `arena ratings show GAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class NounGroup(click.Group):
    """A noun with its verbs; `usual` puts in the verb that was left out, as commands of former releases did."""

    def __init__(self, *arguments: Any, usual: Callable[[list[str]], list[str]], **settings: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*arguments, **settings)
        self._usual = usual

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Complete a command line that begins with neither a verb nor `--help`."""
        if args and args[0] not in {*self.commands, *self.get_help_option_names(ctx)}:
            args = self._usual(args)
        return super().parse_args(ctx, args)

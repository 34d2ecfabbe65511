"""Write the commands, as `--help` has them, into the tables of docs/commands.md, one below each heading.

With --check, only report whether the page is up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from arena.cli.main import arena

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
SECTIONS = {
    "At home": ("match", "race", "rate", "selfplay", "dataset", "verify", "view"),
    "Bots": ("bot",),
    "Tournaments, ladders, ratings": ("tournament", "ladder", "ratings"),
    "Accounts": ("login", "whoami", "password", "token", "user"),
    "Running an arena": ("up", "serve", "drain", "db", "backup"),
    "Games": ("game",),
}
_EVERYWHERE = frozenset({"--arena", "--data", "--json"})
"""Options that the page describes once."""
_HEAD = "| command | what it does | options |\n| --- | --- | --- |\n"


def leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group, and of its groups, or the command itself."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None  # noqa: S101 - it has just been listed
        yield from leaves(found, f"{path} {name}")


def _row(path: str, command: click.Command) -> str:
    context = click.Context(command)
    arguments = [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]
    options = [
        "/".join((*each.opts[:1], *each.secondary_opts[:1]))
        + ("" if each.is_flag else f" {each.make_metavar(context)}")
        for each in command.params
        if isinstance(each, click.Option) and each.opts[0] not in _EVERYWHERE
    ]
    usage = " ".join([path, *arguments]).replace("|", "\\|")
    words = command.get_short_help_str(200).rstrip(".")
    shown = ", ".join(f"`{each}`" for each in options).replace("|", "\\|")
    return f"| `{usage}` | {words} | {shown} |\n"


def _table(names: Sequence[str]) -> str:
    context = click.Context(arena)
    found = [(name, arena.get_command(context, name)) for name in names]
    return _HEAD + "".join(
        _row(*leaf) for name, command in found if command for leaf in leaves(command, f"arena {name}")
    )


def page(text: str) -> str:
    """Return the page with its tables written again."""
    for heading, names in SECTIONS.items():
        section = rf"\n## {re.escape(heading)}\n.*?\n(\| command .*?)(?=\n\n|\n?\Z)"
        found = re.search(section, text, re.DOTALL)
        assert found is not None, f"docs/commands.md: has no table below {heading!r}"  # noqa: S101 - a slip of ours
        text = text[: found.start(1)] + _table(names).rstrip("\n") + text[found.end(1) :]
    return text


def main(arguments: list[str]) -> int:
    """Write the page, or with --check report whether it is stale; return the exit code."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = page(text)
    if fresh != text and "--check" in arguments:
        print("stale: docs/commands.md; `make commands` writes it")
        return 1
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The docs name everything there is: commands, settings, calls of the wire, benchmarks' folders."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli.main import arena
from arena.games.registry import GAMES
from arena.settings import Settings
from arena.v1 import bot_pb2

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def _commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


COMMANDS = dict(_commands(arena, "arena"))


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_is_documented(path: str) -> None:
    assert f"`{path}" in (DOCS / "commands.md").read_text()


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_has_an_example_in_its_help(path: str) -> None:
    command = COMMANDS[path]
    assert "Example" in (command.help or "") + (command.epilog or "")


@pytest.mark.parametrize("name", Settings.model_fields)
def test_each_setting_is_documented(name: str) -> None:
    assert f"`ARENA_{name.upper()}`" in (DOCS / "operating.md").read_text()


@pytest.mark.parametrize(
    "message", [*bot_pb2.BotMessage.DESCRIPTOR.fields, *bot_pb2.ArenaMessage.DESCRIPTOR.fields]
)
def test_each_message_of_the_wire_is_documented_for_authors(message: object) -> None:
    assert f"`{message.message_type.name}`" in (DOCS / "protocol.md").read_text()  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_page_and_the_readme_names_it(game: str) -> None:
    assert (DOCS / "games" / f"{game}.md").exists()
    assert f"docs/games/{game}.md" in (ROOT / "README.md").read_text()


def test_links_between_the_docs_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"

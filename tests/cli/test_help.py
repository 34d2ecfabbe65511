"""`--help`: short whole sentences, one metavar for each kind of value; `arena --help` lists commands without importing them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from arena.cli.main import arena
from tests.cli.running import run

METAVARS_BY_COMMAND = {
    "--bots",
    "--error",
    "--format",
    "--language",
    "--limit",
    "--out",
    "--public",
    "--sprt",
}
"""Options that mean different things in different commands."""


def of_group(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from of_group(command, f"{path} {name}")


COMMANDS = dict(of_group(arena, "arena"))


@pytest.mark.parametrize("path", COMMANDS)
def test_first_sentence_is_whole_in_lists(path: str) -> None:
    assert not COMMANDS[path].get_short_help_str(62).endswith("...")


@pytest.mark.parametrize("path", COMMANDS)
def test_first_sentence_is_a_paragraph(path: str) -> None:
    assert (COMMANDS[path].help or "").partition("\n")[0].endswith(".")


@pytest.mark.parametrize("path", COMMANDS)
def test_values_of_options_are_named(path: str) -> None:
    unnamed = [
        option.opts[0]
        for option in COMMANDS[path].params
        if isinstance(option, click.Option)
        and not option.is_flag
        and option.metavar is None
        and not isinstance(option.type, click.Choice)
    ]
    assert unnamed == []


def test_option_of_a_name_has_one_metavar() -> None:
    metavars: dict[str, set[str | None]] = {}
    for command in COMMANDS.values():
        for option in command.params:
            if isinstance(option, click.Option) and option.opts[0] not in METAVARS_BY_COMMAND:
                metavars.setdefault(option.opts[0], set()).add(option.metavar)
    assert {name: found for name, found in metavars.items() if len(found) > 1} == {}


@pytest.mark.parametrize("group", ["", "bot", "game"])
def test_list_of_commands_that_are_not_imported_has_their_first_sentences(group: str) -> None:
    listed = " ".join(run(*group.split(), "--help").out.split())
    prefix = f"arena {group} " if group else "arena "
    own = [path for path in COMMANDS if path.startswith(prefix) and " " not in path.removeprefix(prefix)]
    missing = [path for path in own if COMMANDS[path].get_short_help_str(200).rstrip(".") not in listed]
    assert missing == []


def test_help_imports_no_command() -> None:
    code = "import sys; from arena.cli.main import main\ntry: main()\nfinally: print([name for name in sys.modules if name.endswith('_command')])"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("backup", "backup create"),
        ("restore", "backup restore"),
        ("user role", "user role set"),
        ("user link", "user link create"),
        ("bot token x y", "bot token create"),
        ("bot token x y --revoke", "bot token revoke"),
        ("bot versions", "bot version list"),
        ("bot logs", "bot log list"),
        ("bot logs x --match 1", "bot log show"),
        ("bot notes x", "bot notes show"),
        ("bot notes x --public", "bot notes set"),
        ("tournament priority", "tournament priority set"),
        ("ratings", "ratings show"),
    ],
)
def test_former_name_still_works(old: str, new: str) -> None:
    """Both refuse an option that no command has, with the usage of the command that was meant."""
    refused = run(*old.split(), "--nonsense").error
    assert "No such option '--nonsense'" in refused or "No such option: --nonsense" in refused
    last = new.rsplit(maxsplit=1)[-1]
    assert f" {last} [OPTIONS]" in refused or old == "restore"

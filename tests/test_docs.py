"""The docs name everything there is: commands, settings, calls of the wire, games, house bots; and their matches are real."""

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import pytest

from arena.bundle_format import manifest
from arena.cli.main import arena
from arena.core.release import GENERATION
from arena.core.settings import Settings
from arena.games.checks import MIN_ANNOTATED_STEPS
from arena.games.registry import GAMES, package
from arena.match.record import FORMAT as RECORD
from arena.match.record import from_json
from arena.match.verification import verify
from arena.messaging.job_calls import JOB_FORMAT
from arena.operations import backup
from arena.ratings.model import ALGORITHM
from arena.reports import exports
from arena.scheduling.planning_terms import PLAN_VERSION
from arena.supervisor.data_directory import LAYOUT
from arena.supervisor.part_programs import STANDARD_BOTS_PORT
from arena.v1 import bot_pb2
from bots.catalogue import house_bots
from referee.wire import frames

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SECTIONS = ["Rules", "Notation", "Legal actions", "View", "Record", "A match, annotated", "Advice"]
"""What an annotated match shows at least."""


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


PATH = re.compile(r"`((?:\.ci|arena|bench|bots|deploy|docs|protos|referee|tests|workers)/[\w./-]+)`")
"""A file or folder of the tree, as texts name it; those with a placeholder are left out."""
EXAMPLES = ("tichu", "bench/out")
"""What only somebody else's game, or a run, would make."""


@pytest.mark.parametrize("text", [*ROOT.glob("*.md"), *DOCS.glob("*.md")], ids=lambda path: path.name)
def test_files_that_a_text_names_are_there(text: Path) -> None:
    """Those of a game may be named as they lie in its folder."""
    named = [path for path in PATH.findall(text.read_text()) if not any(each in path for each in EXAMPLES)]
    places = (ROOT, ROOT / "arena" / "games" / "lost_cities")
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_is_documented(path: str) -> None:
    assert f"`{path}" in (DOCS / "commands.md").read_text()


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_has_an_example_in_its_help(path: str) -> None:
    command = COMMANDS[path]
    assert "Example" in (command.help or "") + (command.epilog or "")


@pytest.mark.parametrize("name", Settings.model_fields)
def test_each_setting_is_documented(name: str) -> None:
    assert f"`ARENA_{name.upper()}`" in (DOCS / "settings.md").read_text()


@pytest.mark.parametrize(
    "message", [*bot_pb2.BotMessage.DESCRIPTOR.fields, *bot_pb2.ArenaMessage.DESCRIPTOR.fields]
)
def test_each_message_of_the_wire_is_documented_for_authors(message: object) -> None:
    assert f"`{message.message_type.name}`" in (DOCS / "protocol.md").read_text()  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_page_on_its_rules(game: str) -> None:
    page = package(game).rules_page("en").read_text()
    assert re.findall("^## (.*)", page, re.MULTILINE) == SECTIONS
    assert "](board.png)" in page
    rules = GAMES[game]
    assert [name for name in rules.variants if f"`{name}`" not in page] == []
    options = {
        option.name
        for variant, seats in rules.variants.items()
        for count in seats
        for option in rules.options(variant, count)
    }
    assert [name for name in options if f"`{name}`" not in page] == []


@pytest.mark.parametrize("game", GAMES)
def test_each_field_of_a_view_is_on_the_page_of_its_game(game: str) -> None:
    page = package(game).rules_page("en").read_text()
    part = page[page.index("## View") : page.index("## Record")]
    rules = GAMES[game]
    variant, seats = next(iter(rules.variants.items()))
    state, _ = rules.new(rules.setup(seats[0], variant=variant), bytes(32))
    assert [name for name in rules.view(state, 0)._fields if f"`{name}`" not in part] == []


def _annotated(game: str) -> list[tuple[dict[str, Any], list[str]]]:
    """Return the matches of a game's page: each with the record that is linked before it, and its lines."""
    page = package(game).rules_page("en").read_text()
    part = page[page.index("## A match, annotated") : page.index("## Advice")]
    found = re.findall(r"\]\((match[^)]*)\).*?```\n(.*?)```", part, re.DOTALL)
    return [
        (
            json.loads((package(game).docs / path).read_text()),
            [line for line in lines.splitlines() if line[0] != "#"],
        )
        for path, lines in found
    ]


@pytest.mark.parametrize("game", GAMES)
def test_annotated_matches_of_a_page_are_real(game: str) -> None:
    matches = _annotated(game)
    assert matches
    for record, (head, *lines, result) in matches:
        assert verify(from_json(json.dumps(record)), GAMES[game]) is None
        steps = record.pop("steps")
        assert json.loads(result) == {"result": record.pop("result")}
        assert json.loads(head) == record
        at, found = 0, []
        for line, previous in zip(lines, [None, *lines], strict=False):
            if line == "...":
                continue
            step = json.loads(line)
            at = steps.index(step, at) if previous == "..." else at
            assert steps[at] == step
            found.append(at)
            at += 1
        least = min(MIN_ANNOTATED_STEPS, len(steps))
        assert len(found) >= least, (
            f"docs/rules.md of {game}: {len(found)} steps of its match, at least {least}"
        )
        assert at == len(steps) or lines[-1] == "..."


@pytest.mark.parametrize("game", GAMES)
def test_annotated_matches_name_the_seed_and_bots_that_play_them(game: str) -> None:
    page = package(game).rules_page("en").read_text()
    commands = re.findall(r"`arena (match [^`]*)`", page[page.index("## A match, annotated") :])
    for (record, _), command in zip(_annotated(game), commands, strict=True):
        words = command.split()
        assert words[:2] == ["match", game]
        assert sorted(words[2 : 2 + len(record["seats"])]) == sorted(seat["bot"] for seat in record["seats"])
        assert words[-2:] == ["--seed", record["seed"]]


@pytest.mark.parametrize("game", GAMES)
def test_each_house_bot_is_named_to_authors(game: str) -> None:
    page = (DOCS / "bots.md").read_text()
    part = page[page.index("## The house bots") : page.index("## A bot that searches")]
    own = package(game).rules_page("en").read_text()
    assert [bot for bot in house_bots(game) if f"| `{bot}` |" not in part + own] == []


def _shape(page: str) -> list[object]:
    """What a translation keeps, part by part: headings' levels, notation, tables with their numbers, steps without remarks."""
    parts: list[object] = []
    for part in re.split("^(?=##)", page, flags=re.MULTILINE):
        code = re.findall(r"```\n(.*?)```", part, re.DOTALL)
        words = re.sub(r"```\n.*?```", "", part, flags=re.DOTALL)
        rows = [row for row in words.splitlines() if row.startswith("|")]
        parts.append(
            (
                re.findall("^#+", part, re.MULTILINE)[:1],
                sorted(re.findall("`([^`]+)`", words)),
                [(row.count("|"), sorted(re.findall(r"−?\d+", row))) for row in rows],
                [[line for line in each.splitlines() if not line.startswith("# ")] for each in code],
                [each.count("\n# ") for each in code],
                len(re.findall(r"^(?:- |\d\. )", words, re.MULTILINE)),
            )
        )
    return parts


@pytest.mark.parametrize("game", GAMES)
def test_rules_in_spanish_say_all_that_the_english_say(game: str) -> None:
    english = package(game).rules_page("en").read_text()
    spanish = package(game).rules_page("es").read_text()
    for ours, theirs in zip(_shape(english), _shape(spanish), strict=True):
        assert ours == theirs
    assert spanish != english


def test_the_docs_name_the_standard_port_of_the_bots() -> None:
    """What an author copies from the docs reaches an arena whose operator has set nothing."""
    at_referees = re.compile(
        r"(?:grpcurl(?!.*EndpointService).* |ARENA_REFEREE=|--bots |--public )[\w.-]+:(\d+)"
    )
    found = [
        (page.name, int(port)) for page in DOCS.glob("*.md") for port in at_referees.findall(page.read_text())
    ]
    assert {name for name, _ in found} == {"deployment.md", "many-machines.md", "operating.md", "protocol.md"}
    assert [each for each in found if each[1] != STANDARD_BOTS_PORT] == []


def test_versions_that_the_docs_name_are_those_of_the_code() -> None:
    page = (DOCS / "versioning.md").read_text()
    now = {row[0]: row[1] for row in re.findall(r"^\| \[?([^|\]]+)[^|]*\| `([^`]+)` \|", page, re.MULTILINE)}
    assert now == {
        "release": version("bot-arena"),
        "protocol": str(frames.PROTOCOL),
        "control port": str(GENERATION),
        "API": "v1",
        "record": RECORD,
        "archive": exports.FORMAT,
        "ratings": ALGORITHM,
        "plan": str(PLAN_VERSION),
        "job": str(JOB_FORMAT),
        "manifest of an upload": manifest.FORMAT,
        "backup": backup.FORMAT,
        "data directory": str(LAYOUT),
    }
    assert all(f"`{form}`" in page for form in exports.FORMATS.values())


def test_changelog_has_an_entry_for_the_release() -> None:
    entries = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert entries[0] == "Unreleased"
    assert version("bot-arena") in entries


def test_links_between_the_docs_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "arena/games").glob("*/docs/*.md")]
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"

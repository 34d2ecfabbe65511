"""Names in the API, the protos and the command line are made of the glossary's words and of plain English ones."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FileDescriptor

import arena.v1
from arena.cli.main import arena as command_line
from arena.games.registry import PACKAGES
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests.web.access import ACCESS
from tests.web.conftest import opened

ROOT = Path(__file__).parent.parent
MAX_TERMS = 40
ROW = re.compile(r"^\| \*\*(?P<term>[^*]+)\*\* \| (?P<meaning>.+) \|$", re.MULTILINE)
RELATED = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
ROWS = dict(ROW.findall((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")))
PLAIN = frozenset((Path(__file__).parent / "plain_words.txt").read_text(encoding="utf-8").split())


def words(name: str) -> Iterator[str]:
    """Yield the words of a name, whichever way it is written, in lower case."""
    for part in re.split(r"[^A-Za-z0-9]+", name):
        yield from (word.lower() for word in WORD.findall(part) if not word.isdigit())


def stems(word: str) -> Iterator[str]:
    """Yield a word, and what it may be the plural or past tense of: `entries` → `entry`, `leased` → `lease`."""
    yield word
    for ending, instead in (("ies", "y"), ("s", ""), ("led", "l"), ("ed", ""), ("d", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            yield word[: -len(ending)] + instead


def glossary() -> frozenset[str]:
    """Return the words of all terms and of the words that belong to them."""
    texts = [*ROWS, *(word for meaning in ROWS.values() for word in RELATED.findall(meaning))]
    return frozenset(word for text in texts for word in words(text))


def of_the_protos() -> Iterator[str]:
    """Yield the names of the protos but for those of the games' packages, which have the words of their rules."""
    for module in pkgutil.iter_modules(arena.v1.__path__):
        file: FileDescriptor | None = getattr(
            importlib.import_module(f"arena.v1.{module.name}"), "DESCRIPTOR", None
        )
        if file is None or file.name.removesuffix(".proto").rpartition("/")[2] in PACKAGES:
            continue
        for message in file.message_types_by_name.values():
            yield from of_a_message(message)
        for enum in file.enum_types_by_name.values():
            yield from of_an_enum(enum)
        for service in file.services_by_name.values():
            yield from (service.name, *(method.name for method in service.methods))


def of_a_message(message: Descriptor) -> Iterator[str]:
    yield from (message.name, *(field.name for field in message.fields))
    for nested in message.nested_types:
        yield from of_a_message(nested)
    for enum in message.enum_types:
        yield from of_an_enum(enum)


def of_an_enum(enum: EnumDescriptor) -> Iterator[str]:
    yield from (enum.name, *(value.name for value in enum.values))


def of_commands(group: click.Group) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield name
        yield from (option for parameter in command.params for option in parameter.opts)
        if isinstance(command, click.Group):
            yield from of_commands(command)


def of_the_api(document: dict[str, Any]) -> Iterator[str]:
    for path, methods in document["paths"].items():
        yield path
        for operation in methods.values():
            yield operation["operationId"]
            yield from (parameter["name"] for parameter in operation.get("parameters", ()))
    for name, schema in document["components"]["schemas"].items():
        yield name
        yield from schema.get("properties", ())


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with opened(tmp_path_factory.mktemp("store")) as store:
        yield create_app(store, connect_async("redis://127.0.0.1:1/0"), ACCESS).openapi()


def unknown(names: Iterator[str]) -> list[str]:
    """Say which words are neither the glossary's nor plain, each with a name that has it."""
    allowed = {each for word in glossary() | PLAIN for each in stems(word)}
    found = {word: name for name in names for word in words(name) if allowed.isdisjoint(stems(word))}
    return [
        f"{word!r} in {name!r}: use a term of docs/glossary.md, or add the word to tests/plain_words.txt"
        for word, name in found.items()
    ]


def test_the_glossary_has_no_more_terms_than_a_newcomer_can_learn() -> None:
    assert 0 < len(ROWS) <= MAX_TERMS


def test_names_of_the_protos_are_made_of_the_glossarys_words_and_plain_ones() -> None:
    assert unknown(of_the_protos()) == []


def test_names_of_commands_and_options_are_made_of_the_glossarys_words_and_plain_ones() -> None:
    assert unknown(of_commands(command_line)) == []


def test_names_of_the_api_are_made_of_the_glossarys_words_and_plain_ones(document: dict[str, Any]) -> None:
    assert unknown(of_the_api(document)) == []


def test_each_term_of_the_glossary_is_used_in_the_docs() -> None:
    docs = " ".join(path.read_text(encoding="utf-8").lower() for path in (ROOT / "docs").glob("[!g]*.md"))
    assert not [term for term in ROWS if term.lower() not in docs]


def test_plain_words_are_listed_only_as_long_as_a_name_has_them(document: dict[str, Any]) -> None:
    names = [*of_the_protos(), *of_commands(command_line), *of_the_api(document)]
    used = {each for name in names for word in words(name) for each in stems(word)}
    assert sorted(PLAIN - used) == []


def test_no_word_is_both_the_glossarys_and_plain() -> None:
    assert not PLAIN & glossary()

"""The generated client has a method for each operation of the API, asks for just that operation, and reads its answer."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from arena.client import AsyncRemoteArena, Refused, RemoteArena
from arena.match.record import from_json
from arena.match.verification import verify
from arena.web.client_generator import Operation, read_operations
from arena.web.http.client_names import NOUNS
from arena.web.http.openapi_document import operations
from tests.client.served_arena import Noting, arena, furnished, redis_server
from tests.patience import wait_until
from tests.web.named_users import PASSWORD

__all__ = ["arena", "furnished", "redis_server"]

DOCS = Path(__file__).parents[2] / "docs" / "api.md"
MATCHES = [(set_number, match) for set_number in range(3) for match in range(2)]
"""The matches of the first tournament."""

GENERATED = [operation for operation, _ in read_operations()]


def examples_of(operation: Operation, described: dict[str, Any]) -> dict[str, Any]:
    """Return an argument for each parameter that has an example in the document."""
    content = described.get("requestBody", {}).get("content", {})
    shown = {each["name"]: each.get("example") for each in described.get("parameters", ())}
    shown |= content.get("application/json", {}).get("example", {})
    given: dict[str, Any] = {}
    for each in operation.parameters:
        if each.place == "content":
            given[each.name] = b"nothing"
        elif each.place == "object":
            body = next(kind for kind in operation_classes(operation) if kind.__name__ == each.annotation)
            given[each.name] = TypeAdapter(body).validate_python(content["application/json"]["example"])
        elif shown.get(each.wire_name) is not None:
            given[each.name] = shown[each.wire_name]
    return given


def operation_classes(operation: Operation) -> tuple[type, ...]:
    return next(classes for each, classes in read_operations() if each == operation)


def described(app: FastAPI) -> Iterator[tuple[Operation, dict[str, Any]]]:
    """Yield the generated operations with their descriptions in the document."""
    found = {(method, path): each for method, path, each in operations(app.openapi())}
    for operation in GENERATED:
        yield operation, found[operation.method, f"/api/v1{operation.path}"]


def test_every_method_of_a_noun_is_an_operation_and_every_operation_a_method() -> None:
    with RemoteArena("http://127.0.0.1:1") as client:
        methods = {
            (noun, name)
            for noun in NOUNS
            for name, _ in inspect.getmembers(getattr(client, noun), inspect.ismethod)
            if not name.startswith("_")
        }
    assert methods == {(operation.noun, operation.name) for operation in GENERATED}
    assert len(GENERATED) == len(methods)


@pytest.mark.parametrize("noun", NOUNS)
async def test_the_client_for_asyncio_has_the_same_parameters(noun: str) -> None:
    async with AsyncRemoteArena("http://127.0.0.1:1") as twin:
        with RemoteArena("http://127.0.0.1:1") as client:
            for name, method in inspect.getmembers(getattr(client, noun), inspect.ismethod):
                same = getattr(getattr(twin, noun), name)
                if not name.startswith("_"):
                    assert inspect.signature(same).parameters == inspect.signature(method).parameters, name


def test_a_method_asks_for_its_operation_and_reads_what_is_answered(arena: tuple[FastAPI, str, str]) -> None:
    app, url, token = arena
    answered = set()
    for operation, description in described(app):
        if operation.name == "logout":
            continue  # it is for who has signed in with a password; see below
        Noting.asked.clear()
        with RemoteArena(url, token) as client:
            refused = call(client, operation, examples_of(operation, description))
        if refused is None:
            answered.add(operation)
        else:
            assert str(refused.status) in operation.statuses, operation.name
            assert refused.remedy, operation.name
        wait_until(
            partial(eq, Noting.asked, [description["operationId"]]),
            f"{operation.name} was asked for",
        )
    assert len(answered) > len(GENERATED) / 2


def call(client: RemoteArena, operation: Operation, given: dict[str, Any]) -> Refused | None:
    """Call a method and return its refusal; of a stream the beginning is enough."""
    try:
        answer = getattr(getattr(client, operation.noun), operation.name)(**given)
        if inspect.isgenerator(answer):
            next(answer, None)
            answer.close()
    except Refused as refused:
        return refused
    return None


async def test_the_client_for_asyncio_reads_the_same(arena: tuple[FastAPI, str, str]) -> None:
    async with AsyncRemoteArena(arena[1], arena[2]) as twin:
        with RemoteArena(arena[1], arena[2]) as client:
            assert await twin.tournaments.show(1) == client.tournaments.show(1)
            events = [event.name async for event in twin.tournaments.follow(1)]
            assert events == ["progress", "end"]
            with pytest.raises(Refused, match="tournament 99"):
                await twin.tournaments.show(99)


def test_signing_in_with_a_password_lasts_until_signing_out(arena: tuple[FastAPI, str, str]) -> None:
    with RemoteArena(arena[1]) as client:
        with pytest.raises(Refused, match="token: is missing") as refused:
            client.accounts.me()
        assert (refused.value.status, refused.value.code) == (401, "not_signed_in")
        assert client.accounts.login(name="olga", password=PASSWORD).role == "organiser"
        made = client.accounts.create_token(label="laptop", scopes=["read"])
        assert made.id in [row.id for row in client.accounts.list_tokens()]
        client.accounts.logout()
        with pytest.raises(Refused):
            client.accounts.me()


def test_a_stream_is_read_to_its_end(arena: tuple[FastAPI, str, str]) -> None:
    with RemoteArena(arena[1]) as client:
        events = list(client.tournaments.follow(1))
        assert [event.name for event in events] == ["progress", "end"]
        assert events[0].data["state"] == "finished"
        with pytest.raises(Refused, match="tournament 99"):
            list(client.tournaments.follow(99))


def test_a_record_comes_as_the_bytes_that_can_be_verified(arena: tuple[FastAPI, str, str]) -> None:
    with RemoteArena(arena[1]) as client:
        data = client.matches.download_record(1, 0, 0)
    assert verify(from_json(data.decode())) is None


def test_a_list_is_read_page_by_page(arena: tuple[FastAPI, str, str]) -> None:
    with RemoteArena(arena[1]) as client:
        pages = client.tournaments.list_matches(1, limit=1)
        assert [len(page.items) for page in pages.pages()] == [1] * len(MATCHES)
        assert [(match.set, match.match) for match in pages] == MATCHES


async def test_a_list_is_read_page_by_page_in_asyncio(arena: tuple[FastAPI, str, str]) -> None:
    async with AsyncRemoteArena(arena[1]) as client:
        matches = client.tournaments.list_matches(1, limit=1)
        assert [(match.set, match.match) async for match in matches] == MATCHES


def test_importing_the_client_imports_no_web_framework_and_no_database() -> None:
    heavy = "{'fastapi', 'sqlalchemy', 'pydantic', 'grpc', 'redis'} & set(sys.modules)"
    program = f"import sys, arena.client; sys.exit(str({heavy}) if {heavy} else 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_example_of_the_docs_runs(
    arena: tuple[FastAPI, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOCS.read_text().partition("```python\n")[2].partition("```")[0]
    exec(compile(text, str(DOCS), "exec"), {"URL": arena[1], "TOKEN": arena[2]})  # noqa: S102 - our own page
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("4")
    assert len(said) == 3 + 4

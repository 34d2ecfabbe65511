"""The arena at a store has the operations of its API, and the routes are one call of them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from arena.accounts.actors import OPERATOR
from arena.client import RemoteArena
from arena.service.after_writes import Written
from arena.service.local_arena import LocalArena
from arena.service.noun import Noun
from arena.service.requests import TournamentCreate
from arena.storage import Store
from arena.web import api_routes
from tests.stores import new_sqlite

WEB = Path(api_routes.__file__).parent
ONLY_IN_THE_WEB = {
    *("accounts.register", "accounts.login", "accounts.login_by_link", "accounts.logout"),
    *("accounts.change_password", "accounts.list_sessions"),  # sessions are browsers'
    *("bots.show_sdk", "matches.list_live", "matches.follow", "tournaments.follow", "tournaments.follow_all"),
}
"""Operations that the API alone has: they need a browser, or what one web process holds in memory."""
WITHOUT_OPERATION = re.compile(r"arena\.web\.(docs|live|play|status|tournaments\.events_api)\b")
"""Routes of documents, streams, a person's games and the status, which are the web's own."""
QUIET = {
    *("bots.begin_weights", "bots.show_weights_upload", "bots.upload_weights_part", "bots.finish_weights"),
    "tournaments.estimate",
}
"""Operations behind writes of the API that leave nothing for workers to do, nor for pages to show."""
READS = {"GET", "HEAD"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    yield store
    store.close()


@pytest.fixture
def arena(store: Store) -> LocalArena:
    return LocalArena(store, OPERATOR, lambda _written: None)


def nouns(arena: object) -> dict[str, Any]:
    return {name: value for name, value in vars(arena).items() if isinstance(value, Noun)}


def operations(noun: object) -> dict[str, Any]:
    return {
        name: each
        for name, each in inspect.getmembers(type(noun), inspect.isfunction)
        if not name.startswith("_")
    }


def taken(operation: Any) -> set[tuple[str, object, object]]:
    parameters = inspect.signature(operation).parameters.values()
    return {(each.name, each.kind, each.default) for each in parameters}


def routes() -> Iterator[tuple[APIRoute, str, set[str]]]:
    """Yield the routes of the API that are for operations, with the operations that their functions name."""
    for route in api_routes.ROUTES:
        assert isinstance(route, APIRoute)
        if WITHOUT_OPERATION.match(route.endpoint.__module__):
            continue
        found = re.findall(r"\barena\.(\w+\.\w+)", inspect.getsource(route.endpoint))
        yield (
            route,
            f"{route.endpoint.__module__}.{route.name}",
            {each for each in found if "actor" not in each},
        )


def test_each_operation_takes_what_the_client_of_the_api_takes(arena: LocalArena) -> None:
    with RemoteArena("http://127.0.0.1:1") as remote:
        for name, noun in nouns(arena).items():
            far = operations(getattr(remote, name))
            for operation, near in operations(noun).items():
                if operation in far:
                    assert taken(near) == taken(far[operation]), f"{name}.{operation}"


def test_each_operation_of_the_client_is_there(arena: LocalArena) -> None:
    with RemoteArena("http://127.0.0.1:1") as remote:
        missing = {
            f"{name}.{operation}"
            for name, noun in nouns(arena).items()
            for operation in operations(getattr(remote, name)).keys() - operations(noun).keys()
        }
    assert missing == ONLY_IN_THE_WEB


def test_each_route_calls_an_operation() -> None:
    without = {name for _, name, called in routes() if not called}
    assert without == {
        f"arena.web.accounts.accounts_api.{name}"
        for name in ("register", "login", "login_by_link", "logout", "change_password", "list_sessions")
    } | {"arena.web.bots.uploads_api.submit_bot"}, "the last one asks the route of its older path"


def test_each_route_that_writes_calls_an_operation_that_announces_it(arena: LocalArena) -> None:
    all_of_them = nouns(arena)
    for route, name, called in routes():
        loud = [each.split(".") for each in called - QUIET if "actor" not in each]
        if (route.methods or set()) - READS and loud:
            marked = [hasattr(getattr(all_of_them[noun], called), "__wrapped__") for noun, called in loud]
            assert any(marked), name


def test_routes_import_no_functions_from_below_the_operations() -> None:
    rooms = ("bot_registry", "competition", "messaging", "operations", "rankings", "reports")
    below = tuple(f"arena.{room}" for room in rooms)
    for path in WEB.rglob("*_api.py"):
        module = "arena.web." + ".".join(path.relative_to(WEB).with_suffix("").parts)
        if WITHOUT_OPERATION.match(module):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(below):
                assert [each.name for each in node.names if each.name[0].islower()] == [], module


def test_a_write_is_announced_with_the_tournament_that_it_changes(store: Store) -> None:
    written: list[Written] = []
    arena = LocalArena(store, OPERATOR, written.append)
    made = arena.tournaments.create(TournamentCreate(game="lost_cities", begin="open"))
    arena.tournaments.cancel(made.id, why="enough")
    assert written == [Written(made.id, "open"), Written(made.id, "cancelled")]


def test_a_read_is_not_announced(store: Store) -> None:
    written: list[Written] = []
    assert [*LocalArena(store, OPERATOR, written.append).tournaments.list()] == []
    assert written == []

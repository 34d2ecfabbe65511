"""Lists come in pages, by `limit`, `cursor` and `next`; without them as the bare arrays of release 0.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from arena.web.client_generator import Operation, read_operations
from tests.client.served_arena import arena, furnished, redis_server

__all__ = ["arena", "furnished", "redis_server"]

LISTS = [operation for operation, _ in read_operations() if operation.items]
IN_TIME = {"list_live", "show_referees", "show_throughput"}
"""Lists that may change between two requests."""


@pytest.fixture
def client(arena: tuple[FastAPI, str, str]) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {arena[2]}"}
    with httpx.Client(base_url=f"{arena[1]}/api/v1", headers=headers) as client:
        yield client


def path_of(operation: Operation) -> str:
    values = {"tournament_id": 1, "game_id": "lost_cities", "variant": "standard", "name": "greedy"}
    return operation.path.format(match_id="none", **values)


@pytest.mark.parametrize("operation", LISTS, ids=lambda each: f"{each.noun}.{each.name}")
def test_the_pages_of_a_list_together_are_what_the_array_was(
    client: httpx.Client, operation: Operation
) -> None:
    array = client.get(path_of(operation))
    if array.status_code in {403, 404} or operation.name in IN_TIME:
        return  # of an author's own bot, or never the same twice
    found, cursor = [], ""
    while cursor is not None:
        page = client.get(path_of(operation), params={"limit": 1, "cursor": cursor}).raise_for_status().json()
        assert len(page[operation.items]) <= 1
        found += page[operation.items]
        cursor = page["next"]
    whole = array.json() if isinstance(array.json(), list) else array.json()[operation.items]
    assert found[: len(whole)] == whole


@pytest.mark.parametrize("operation", LISTS, ids=lambda each: f"{each.noun}.{each.name}")
def test_an_unknown_cursor_is_refused_by_its_name(client: httpx.Client, operation: Operation) -> None:
    refused = client.get(path_of(operation), params={"cursor": "none-such"})
    if refused.status_code not in {403, 404}:
        problem = refused.json()
        assert (refused.status_code, problem["code"], problem["field"]) == (422, "cursor_unknown", "cursor")
        assert "'none-such'" in problem["detail"]


def test_a_page_without_items_is_refused(client: httpx.Client) -> None:
    problem = client.get("/games", params={"limit": 0}).json()
    assert (problem["status"], problem["field"]) == (422, "limit")
    assert problem["detail"] == "limit '0': Input should be greater than or equal to 1."


@pytest.mark.parametrize("path", ["/matches/recent", "/bots/lost_cities/greedy/logs"])
def test_a_limit_alone_asks_for_an_array_where_release_0_2_had_one(client: httpx.Client, path: str) -> None:
    answer: Any = client.get(path, params={"limit": 2})
    assert answer.status_code == 403 or isinstance(answer.json(), list)


def test_old_parameters_are_deprecated_and_work(client: httpx.Client) -> None:
    newest = client.get("/audit", params={"most": 1}).json()
    assert len(newest) == 1
    before = client.get("/audit", params={"most": 1, "before": newest[0]["id"]}).json()
    page = client.get("/audit", params={"limit": 1, "cursor": newest[0]["id"]}).json()
    assert page["items"] == before

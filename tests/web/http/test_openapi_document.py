"""The API does what its OpenAPI document says: every status, type and shape of answer, whoever asks for whatever it allows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import jsonschema_rs
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from arena.accounts.actors import OPERATOR
from arena.competition import creation, lifecycle
from arena.competition.drafts import TournamentSpec
from arena.messaging.redis_connection import connect, connect_async
from arena.rankings import public_ratings
from arena.web.app import create_app
from arena.web.http.openapi_document import operations
from tests import decided_matches, random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened
from tests.web.named_users import ROLES, House, furnished

if TYPE_CHECKING:
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis

__all__ = ["furnished"]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = {"nobody": 1, "author": 2, "organiser": 2, "admin": 2}
"""Requests that are made up for each operation, by caller, beside one that is the document's own example."""

ENDLESS = ("/events",)
"""Streams go on for as long as anything runs; tests/web/http/test_sse.py reads them."""


@dataclass
class Arena:
    """An app on a small store that has some of everything, and a token of each caller."""

    app: FastAPI
    house: House
    callers: dict[str, dict[str, str]]
    names: dict[str, list[Any]]
    """What parts of addresses may name so that there is something at them."""


@pytest.fixture(scope="module")
def arena(
    tmp_path_factory: pytest.TempPathFactory, furnished: Path, redis_server: RunningRedis
) -> Iterator[Arena]:
    import shutil

    folder = tmp_path_factory.mktemp("schema")
    shutil.copytree(furnished, folder, dirs_exist_ok=True)
    with connect(redis_server.url) as client:
        client.flushdb()
    with opened(folder) as store:
        house = House(store, redis_server)
        over = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
        random_tournaments.play(store, over, fault=True)
        runs = random_tournaments.create(store, "land_unter", "random", "greedy", "hoarder", seats=3).id
        random_tournaments.play(store, runs, limit=2)
        open_one = creation.create(store, TournamentSpec("lost_cities", ("random", "greedy"), begin="open"))
        made = creation.create(store, TournamentSpec("lost_cities", ("random",), begin="created"))
        swiss = creation.create(store, TournamentSpec("lost_cities", ("random", "greedy"), format="swiss"))
        random_tournaments.play(store, swiss)
        lifecycle.pause(store, runs, OPERATOR)
        decided_matches.dial_in(store, house.actor("ada"), "lost_cities", "my-bot")
        for pool in public_ratings.pools(store):
            public_ratings.refresh(store, pool.key)
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        callers: dict[str, dict[str, str]] = {"nobody": {}} | {
            role: {"Authorization": f"Bearer {house.token(name)}"} for name, role in ROLES.items()
        }
        names: dict[str, list[Any]] = {
            "tournament_id": [over, runs, open_one, made, swiss],
            "game_id": ["lost_cities", "land_unter"],
            "variant": ["standard"],
            "name": ["my-bot", "my-bot@1", "greedy", "ada", "bots"],
            "set_number": [0, 1],
            "match_number": [0, 1],
        }
        yield Arena(app, house, callers, names)


@pytest.fixture(scope="module")
def schema(arena: Arena) -> schemathesis.BaseSchema:
    """The document as Schemathesis reads it: once for all callers, whose requests are made up in the same ways."""
    arena.app.openapi()  # it is kept: Schemathesis waits ten seconds for it at most
    return schemathesis.openapi.from_asgi("/openapi.json", arena.app)


def is_asked(path: str) -> bool:
    return path.startswith("/api/") and not path.endswith(ENDLESS)


@pytest.mark.parametrize("caller", EXAMPLES)
def test_no_answer_is_other_than_documented(
    arena: Arena, schema: schemathesis.BaseSchema, caller: str
) -> None:
    draw = random.Random(caller)
    seen: Counter[int] = Counter()

    def ask(case: schemathesis.Case) -> None:
        for name in case.path_parameters:
            if name in arena.names and draw.random() < 0.7:
                case.path_parameters[name] = draw.choice(arena.names[name])
        case.headers.update(arena.callers[caller])
        answer = case.call()
        seen[answer.status_code] += 1
        checks = CHECKS
        if answer.status_code == 503 and answer.json()["code"] == "no_referee":
            checks = [check for check in CHECKS if check is not not_a_server_error]  # there is none here
        case.validate_response(answer, checks=checks)

    for found in schema.get_all_operations():
        operation = cast("Any", found).ok()
        if not is_asked(operation.path):
            continue
        ask(own_example(arena, operation))
        made_up = given(case=operation.as_strategy())(ask)
        settings(
            max_examples=EXAMPLES[caller],
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(seed(1)(made_up))()
    assert seen[200] > 20
    assert (seen[401] > 20) == (caller == "nobody")


def own_example(arena: Arena, operation: Any) -> schemathesis.Case:
    """The request that the document shows, at an address where there is something."""
    written = operation.definition.raw
    body = written.get("requestBody", {}).get("content", {}).get("application/json", {})
    parameters = {
        place: {
            each["name"]: each["example"]
            for each in written.get("parameters", ())
            if each["in"] == place and "example" in each
        }
        for place in ("path", "query")
    }
    return operation.Case(
        path_parameters=parameters["path"],
        query={name: value for name, value in parameters["query"].items() if value is not None},
        headers={},
        **({"body": body["example"], "media_type": "application/json"} if body else {}),
    )


def test_each_operation_has_its_name_words_examples_and_problems(arena: Arena) -> None:
    document = arena.app.openapi()
    named: Counter[str] = Counter()
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        named[operation["operationId"]] += 1
        assert operation["summary"], where
        assert operation["description"], where
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], where
        if not path.startswith("/api/"):
            continue
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        for holder in (*bodies, *operation["responses"].values()):
            for kind, content in holder.get("content", {}).items():
                if "schema" in content and kind.endswith("json"):
                    whole = {**content["schema"], "components": document["components"]}
                    jsonschema_rs.validator_for(whole).validate(content["example"])
        expected = {"503"} | ({"401", "403", "429"} if "security" in operation and method != "GET" else set())
        assert expected <= operation["responses"].keys(), where
    assert max(named.values()) == 1

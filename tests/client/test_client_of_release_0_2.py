"""Clients of release 0.2 read and write at the server of this tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.client.served_arena import arena, furnished, redis_server

ROOT = Path(__file__).parents[2]
RELEASE = "31436043e7ae7d718a973a91c197c43dd001ed45"
"""The commit of release 0.2."""

__all__ = ["arena", "furnished", "redis_server"]

PROGRAM = r"""
import json, sys
from arena.client import ArenaClient, Refused
from arena.client.http_connection import Connection

BOT = b"from arena.sdk import Bot\n\n\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"
url, token = sys.argv[1:]
found = {}
with ArenaClient(url, token) as arena:
    def call(name, *args, **more):
        try:
            answer = getattr(arena, name)(*args, **more)
            if hasattr(answer, "__next__"):
                answer = [event.name for event in answer]
            found[name] = {"bytes": len(answer)} if isinstance(answer, bytes) else answer
        except Refused as refused:
            found[name] = {"refused": refused.code, "field": refused.field}
        return found[name]

    for name in ("list_games", "list_pools", "list_tournaments", "list_ladders", "list_recent", "list_live_tables",
                 "list_bots", "list_own_bots", "list_sessions", "list_tokens", "list_users", "list_invitations",
                 "list_own_tournaments", "read_audit", "show_referees", "show_throughput", "show_warnings",
                 "list_suspensions", "show_faults", "list_docs", "list_playable", "show_status", "show_queues", "me"):
        call(name)
    call("list_matches", 1, first_set=0, sets=1)
    call("list_decisions", 1, first=0, most=1)
    for name in ("show_tournament", "follow_tournament", "export_tournament"):
        call(name, 1)
    call("show_match", 1, 0, 0)
    call("show_record", 1, 0, 0)
    for name in ("show_table", "show_leaderboard", "show_seats", "show_history", "show_superiority"):
        call(name, "lost_cities", "standard")
    for name in ("show_bot", "show_times", "list_versions", "list_logs", "list_entries"):
        call(name, "lost_cities", "greedy")
    call("submit_bot", BOT, filename="old_client.py", game="lost_cities")
    call("add_bot", "lost_cities", "old-client-dials", "dial_in")
    call("create_token", "laptop", scopes=["read"])
    call("invite")
    made = call("create_tournament", "lost_cities", bots=["greedy", "random"], cycles=3, begin="open")
    call("enter_bot", made["id"], "cautious")
    call("withdraw_bot", made["id"], "cautious")
    call("start_tournament", made["id"])
    call("prioritise_tournament", made["id"], 20)
    call("pause_tournament", made["id"])
    call("cancel_tournament", made["id"], why="tried")
    ladder = call("start_ladder", "lost_cities")
    call("stop_ladder", ladder["id"])
    call("open_table", "lost_cities", ["greedy"])
    call("show_own_table", "none-there")
    call("leave_table", "none-there")
print(json.dumps(found))
"""
REFUSED = {"open_table": "no_referee", "show_own_table": "unknown", "leave_table": "unknown"}
"""Operations that need a referee, which is not there, or a game of one's own."""


@pytest.fixture(scope="module")
def found(arena: tuple[FastAPI, str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything that a client of release 0.2 was answered, by its methods."""
    folder = tmp_path_factory.mktemp("release")
    parts = ("arena/__init__.py", "arena/client", "arena/core", "arena/net")
    packed = subprocess.run(
        ["git", "archive", RELEASE, *parts], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arena[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answers: dict[str, Any] = json.loads(ran.stdout)
    return answers


def test_reading_and_writing_is_answered(found: dict[str, Any]) -> None:
    refused = {
        name: each["refused"] for name, each in found.items() if isinstance(each, dict) and "refused" in each
    }
    assert refused == REFUSED


def test_lists_come_as_arrays(found: dict[str, Any]) -> None:
    lists = (
        {name for name in found if name.startswith("list_")} - {"list_docs", "list_playable"} - set(REFUSED)
    )
    arrays = {"read_audit", "show_referees", "show_throughput", "show_seats", "show_history", "submit_bot"}
    assert {name for name in lists | arrays if not isinstance(found[name], list)} == set()


def test_parameters_that_pages_have_replaced_still_count(found: dict[str, Any]) -> None:
    assert {match["set"] for match in found["list_matches"]} == {0}
    assert len(found["list_decisions"]) == 1
    assert found["prioritise_tournament"]["priority"] == 20

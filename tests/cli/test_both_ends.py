"""Commands work at an arena elsewhere and on a store here: all that the API has take `--arena`, and `--json` has one schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from pydantic import TypeAdapter

from arena.accounts import tokens
from arena.accounts.invitations import NewInvitation
from arena.accounts.tokens import NewApiToken, TokenRow
from arena.accounts.users import UserRow
from arena.bot_registry import bots
from arena.competition.ladders import LadderRow
from arena.competition.qualification.submissions import VersionRow
from arena.rankings.rating_rows import RatingTable
from arena.reports.bot_logs import LogRow
from arena.reports.tournament_details import ListedTournament, TournamentPage
from arena.service.composed_answers import Added, Bot, Entered, NoteVisibility, UserWithPassword
from arena.storage import Store
from tests.cli.running import run
from tests.cli.test_help import COMMANDS
from tests.decided_matches import NAMES, person
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite

AT_HOME = {
    *("match", "race", "rate", "selfplay", "dataset", "verify", "view", "ratings fit"),
    *("bot check", "bot new", "bot replay"),
    *(f"game {verb}" for verb in ("check", "golden", "install", "new", "picture", "proto")),
}
"""Commands that need no arena."""
OF_AN_OPERATOR = {
    *("up", "serve web", "serve referee", "serve worker", "drain", "user link create"),
    *(f"backup {verb}" for verb in ("create", "restore", "verify")),
    *(f"db {verb}" for verb in ("contract", "prune", "sizes", "upgrade")),
}
"""Commands that are no operations of the API."""
SIGNS_IN = ("login",)

SAME: tuple[tuple[str, Any], ...] = (
    ("tournament create lost_cities --bots greedy,random --cycles 2 --hold", TournamentPage),
    ("tournament list", tuple[ListedTournament, ...]),
    ("tournament show 1", TournamentPage),
    ("tournament enter 1 {entry}", Entered),
    ("tournament withdraw 1 {entry}", Entered),
    ("tournament priority set 1 20", TournamentPage),
    ("tournament edit 1 --name Cup --description Blitz --option hands=1 --time 10+0.1", TournamentPage),
    ("ladder start {game}", LadderRow),
    ("ladder list", tuple[LadderRow, ...]),
    ("ladder stop {number}", LadderRow),
    ("ratings show lost_cities", RatingTable),
    ("bot list", tuple[Bot, ...]),
    ("bot add lost_cities {end}-bot --dial-in", Added),
    ("bot token create lost_cities {end}-bot", Added),
    ("bot version list {end}-bot", tuple[VersionRow, ...]),
    ("bot withdraw {end}-bot", VersionRow),
    ("bot log list {end}-bot", tuple[LogRow, ...]),
    ("bot notes show {end}-bot", NoteVisibility),
    ("bot notes set {end}-bot --public", NoteVisibility),
    ("user create {end}-user", UserWithPassword),
    ("user reset {end}-user", UserWithPassword),
    ("user role set {end}-user organiser", UserRow),
    ("user list", tuple[UserRow, ...]),
    ("user invite", NewInvitation),
    ("token list", tuple[TokenRow, ...]),
)


ENDS = {
    "here": ("here", "rusher", "lost_cities", 1),
    "elsewhere": ("elsewhere", "cautious", "land_unter", 2),
}
"""Names that differ, since both ends have the same store."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    """An arena that an admin has signed in to from this folder, which has its store."""
    store = Store.open(new_sqlite(folder / "arena.db"))
    bots.register_house(store, {"lost_cities": NAMES})
    (folder / "token").write_text(tokens.create(store, person(store, "root", "admin"), "test").token)
    with running_redis() as redis, serving(folder, redis.url) as address:
        login = run("login", address, "--token-file", str(folder / "token"), XDG_CONFIG_HOME=str(folder))
        assert login.code == 0, login.error
        yield address
    store.close()


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("command", "kind"), SAME)
def test_json_has_the_schema_of_the_api(url: str, folder: Path, command: str, kind: Any, end: str) -> None:
    place = ("--data", str(folder)) if end == "here" else ("--arena", url)
    own = dict(zip(("end", "entry", "game", "number"), ENDS[end], strict=True))
    done = run(*command.format(**own).split(), *place, "--json", XDG_CONFIG_HOME=str(folder))
    assert done.code == 0, done.error
    adapter = TypeAdapter(kind)
    assert adapter.dump_python(adapter.validate_json(done.out), mode="json") == json.loads(done.out)


def test_new_token_has_the_schema_of_the_api_from_both(url: str, folder: Path) -> None:
    made = run("token", "create", "laptop", "--arena", url, "--json", XDG_CONFIG_HOME=str(folder))
    here = run("token", "create", "laptop", "--user", "root", "--data", str(folder), "--json")
    for done in (made, here):
        assert TypeAdapter(NewApiToken).validate_json(done.out).label == "laptop"
    assert json.loads(made.out).keys() == json.loads(here.out).keys()


def test_each_command_whose_operation_the_api_has_takes_an_arena() -> None:
    without = {
        path.removeprefix("arena ")
        for path, command in COMMANDS.items()
        if not isinstance(command, click.Group)
        and "--arena" not in [option for each in command.params for option in each.opts]
    }
    assert without == {*AT_HOME, *OF_AN_OPERATOR, *SIGNS_IN}

"""Secrets as shells, editors and CI systems hand them over: read alike, or refused in a sentence without them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

import httpx
import pytest

from arena.client import RemoteArena, check_url
from arena.client.answers import Sent
from arena.core.errors import UsageError
from tests.bundle_format.uploads import BOT, TOML
from tests.cli.running import Done, run
from tests.core.saved_texts import SAVED
from tests.sdk.scripted_arena import bot_process, ended, open_stage

SECRET = "arena_0123456789abcdef_correcthorsebatterystaple"
BROKEN = {
    "a line break": f"{SECRET[:20]}\n{SECRET[20:]}",
    "a blank": f"{SECRET[:20]} {SECRET[20:]}",
    "a letter": f"{SECRET}é",
    "a control character": f"{SECRET}\x1b[2J",
}
NOWHERE = "http://127.0.0.1:1"


def shows_none(done: Done) -> None:
    """Check that a command has ended in one sentence, without a part of the secret."""
    for part in (SECRET[:20], SECRET[20:], "correcthorse"):
        assert part not in done.out + done.error
    assert "Traceback" not in done.error


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "bot.toml").write_text(TOML)
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


@pytest.mark.parametrize("token", BROKEN.values(), ids=BROKEN)
def test_ci_refuses_a_broken_token_without_showing_it(project: Path, token: str) -> None:
    done = run("bot", "ci", str(project), "--arena", NOWHERE, ARENA_API_TOKEN=token)
    assert (done.code, done.error.count("\n")) == (2, 1)
    assert "ARENA_API_TOKEN: has a blank, a line break or a letter beyond ASCII" in done.error
    shows_none(done)


@pytest.mark.parametrize("token", [f"{SECRET}\n", f" {SECRET}\r\n", f"\t{SECRET}"])
def test_blanks_around_a_token_of_ci_do_not_count(project: Path, token: str) -> None:
    done = run("bot", "ci", str(project), "--arena", NOWHERE, ARENA_API_TOKEN=token)
    assert f"arena {NOWHERE}: " in done.error, "it has come as far as the connection"
    shows_none(done)


@pytest.mark.parametrize("option", ["--token-file", "--password-file"])
@pytest.mark.parametrize("secret", BROKEN.values(), ids=BROKEN)
def test_login_shows_no_secret(tmp_path: Path, option: str, secret: str) -> None:
    (tmp_path / "secret").write_text(secret)
    name = ("--name", "ada") if option == "--password-file" else ()
    done = run("login", NOWHERE, *name, option, str(tmp_path / "secret"), XDG_CONFIG_HOME=str(tmp_path))
    assert done.code != 0
    shows_none(done)


@pytest.mark.parametrize("token", BROKEN.values(), ids=BROKEN)
def test_a_kept_token_that_is_broken_is_refused_without_showing_it(tmp_path: Path, token: str) -> None:
    (tmp_path / "bot-arena").mkdir()
    (tmp_path / "bot-arena/logins.json").write_text(json.dumps({NOWHERE: {"name": "ada", "token": token}}))
    for command in (
        ("token", "list"),
        ("bot", "version", "list", "mine"),
        ("tournament", "open", "1", "--arena", NOWHERE),
    ):
        done = run(*command, XDG_CONFIG_HOME=str(tmp_path))
        assert (done.code, done.error.count("\n")) == (2, 1), done.error
        shows_none(done)


@pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)
def test_a_token_in_a_file_is_the_same_however_it_was_saved(
    tmp_path: Path, save: Callable[[str], bytes]
) -> None:
    seen = []

    class Client(RemoteArena):
        def send(self, method: str, path: str, **_sent: Unpack[Sent]) -> httpx.Response:
            assert (method, path) == ("GET", "/me")
            seen.append(self._http.headers["Authorization"])
            return httpx.Response(200, json={"name": "ada", "role": "author", "scopes": [], "csrf": None})

    (tmp_path / "token").write_bytes(save(f"  {SECRET} \n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.cli.account.login_command.RemoteArena", Client)
        done = run("login", NOWHERE, "--token-file", str(tmp_path / "token"), XDG_CONFIG_HOME=str(tmp_path))
    assert done.code == 0, done.error
    assert seen == [f"Bearer {SECRET}"]


@pytest.mark.parametrize(
    "url", [f"http://ada:{SECRET}@127.0.0.1", f"{NOWHERE}/login/link?code={SECRET}", f"http://[{SECRET}"]
)
def test_an_address_with_a_secret_is_refused_without_it(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        check_url(url)
    assert "correcthorse" not in str(refused.value)


@pytest.mark.parametrize(
    "url", [f"nonsense {SECRET}", f"mysql://ada:{SECRET}@localhost/arena", f"ada:{SECRET}@x"]
)
def test_a_database_url_is_refused_without_its_password(url: str) -> None:
    done = run("tournament", "list", ARENA_DATABASE_URL=url)
    assert done.code == 2
    assert "must be sqlite:///PATH" in done.error
    shows_none(done)


@pytest.mark.parametrize("over", ["unix", "tcp"])
@pytest.mark.parametrize("token", BROKEN.values(), ids=BROKEN)
async def test_a_bot_with_a_broken_token_ends_with_a_sentence(tmp_path: Path, over: str, token: str) -> None:
    async with (
        open_stage(tmp_path, over=over) as stage,
        bot_process(tmp_path, "return 0", referee=stage.address, ARENA_TOKEN=token) as process,
    ):
        code, told = await ended(process)
    assert (code, told.count("\n")) == (1, 1)
    assert told.startswith("ARENA_TOKEN: has a blank")
    shows_none(Done(code, "", told))


@pytest.mark.parametrize("over", ["unix", "tcp"])
async def test_blanks_around_a_bots_token_and_address_do_not_count(tmp_path: Path, over: str) -> None:
    async with (
        open_stage(tmp_path, over=over) as stage,
        bot_process(tmp_path, "return 0", referee=f"{stage.address}\n", ARENA_TOKEN=" sesame\r\n"),
    ):
        line = await stage.line()
        await line.read()
        assert line.token == "Bearer sesame"

"""The admin whom the first `arena up` makes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import httpx

from arena.client import RemoteArena
from tests.cli.running import run
from tests.parts.arena_process import RunningArena
from tests.patience import wait_until


def test_first_start_shows_a_link_with_which_the_admin_signs_in_once(
    arena: RunningArena, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{arena.port}"
    wait_until(lambda: "`arena user link create admin --data " in arena.output(), "the admin is introduced")
    (link,) = re.findall(rf"^{url}/sign-in/link\?code=link_\S+$", arena.output(), re.MULTILINE)
    assert "arena_" not in arena.output()
    (tmp_path / "link").write_text(link)
    home = str(tmp_path / "config")
    done = run("login", url, "--token-file", str(tmp_path / "link"), XDG_CONFIG_HOME=home)
    assert done.out.startswith(f"Signed in to {url} as admin (admin): ")
    made = run("token", "create", "test", "--expires", "1d", "--json", XDG_CONFIG_HOME=home)
    token = re.search(r'"token": "(arena_\S+)"', made.out)[1]  # type: ignore[index]
    with RemoteArena(url, token) as client:
        assert set(client.accounts.me().scopes) == {"read", "bots", "tournaments", "admin"}
    assert httpx.get(f"{url}/health").status_code == 200
    again = run("login", url, "--token-file", str(tmp_path / "link"), XDG_CONFIG_HOME=home)
    assert (again.code, "unknown, used or expired" in again.error) == (2, True)
    (advised,) = re.findall(r"`arena (user link create admin .*?)`", arena.output())
    assert run(*shlex.split(advised)).out.startswith(f"{url}/sign-in/link?code=link_")

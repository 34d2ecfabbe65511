"""Commands of release 0.2 work at the server of this tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from fastapi import FastAPI

from tests.client.served_arena import arena, furnished, redis_server
from tests.client.test_client_of_release_0_2 import RELEASE, ROOT

__all__ = ["arena", "furnished", "redis_server"]

BOT = "from arena.sdk import Bot\n\n\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"

COMMANDS = (
    "login URL --token-file TOKEN",
    "token create laptop --scope read --json",
    "token list",
    "bot submit old_command.py --game lost_cities --no-wait",
    "bot versions old_command",
    "bot withdraw old_command",
    "bot restore old_command --no-wait",
    "bot logs old_command",
    "bot list lost_cities --arena URL",
    "bot add lost_cities old-dials --dial-in --arena URL",
    "bot token lost_cities old-dials --arena URL",
    "bot token lost_cities old-dials --revoke --arena URL",
    "bot challenge greedy random --game lost_cities --no-wait",
    "tournament enter NUMBER cautious --arena URL",
    "tournament withdraw NUMBER cautious --arena URL",
    "tournament start NUMBER --arena URL",
    "tournament pause NUMBER --arena URL",
    "tournament resume NUMBER --arena URL",
    "tournament extend NUMBER 1 --arena URL",
    "tournament priority NUMBER 20 --arena URL",
    "tournament cancel NUMBER --arena URL --why over",
)
"""All of that release that ask an arena, but for those that play a match at home first and `password`, which needs one."""
PROGRAM = r"""
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from arena.cli.main import main
from arena.client import ArenaClient

url, token, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
with ArenaClient(url, token) as client:
    number = client.create_tournament("lost_cities", bots=["greedy", "random"], cycles=3, begin="open")["id"]
open("TOKEN", "w").write(token)
done = {}
for command in commands:
    sys.argv = ["arena", *command.replace("URL", url).replace("NUMBER", str(number)).split()]
    error = io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(error):
            main()
        code = 0
    except SystemExit as ended:
        code = ended.code or 0
    done[command] = [code, error.getvalue()]
print(json.dumps(done))
"""


@pytest.fixture(scope="module")
def done(
    arena: tuple[FastAPI, str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[object]]:
    """The exit code and stderr of each command."""
    folder = tmp_path_factory.mktemp("release")
    packed = subprocess.run(["git", "archive", RELEASE], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
    (folder / "old_command.py").write_text(BOT)
    environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arena[1:], json.dumps(COMMANDS)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, list[object]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_release_0_2_works(done: dict[str, list[object]], command: str) -> None:
    assert done[command] == [0, ""]

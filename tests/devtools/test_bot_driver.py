"""Meeting one bot: what it is told at the end, and what is said of one that never comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.devtools.bot_driver import BotFailed, meet
from arena.referee_client import Hosted

BOT = "from arena.sdk import Bot, run\n\n\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"
TYPESCRIPT = Path(__file__).parents[2] / "bots" / "typescript" / "bot.ts"


def written(folder: Path, last: str) -> Hosted:
    path = folder / "mine.py"
    path.write_text(f"{BOT}\n\n{last}\n")
    return Hosted(f"file:{path}")


async def test_a_bot_does_not_connect_again_where_the_caller_breaks_off(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BotFailed, match="another answer"):
        async with meet(written(tmp_path, "run(Mine())")):
            raise BotFailed("another answer")
    assert capfd.readouterr().err == ""


async def test_a_bot_in_typescript_does_not_connect_again_after_the_end(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(3):
        async with meet(Hosted(f"file:{TYPESCRIPT}")):
            pass
    assert capfd.readouterr().err == ""


async def test_a_program_without_run_is_told_to_call_it(tmp_path: Path) -> None:
    with pytest.raises(BotFailed) as caught:
        async with meet(written(tmp_path, "")):
            pass
    assert str(caught.value) == (
        "it never connected to ARENA_REFEREE: its process ended with exit code 0; "
        "a bot's program calls run() at its end, such as `run(MyBot())`, which connects it and plays"
    )


async def test_the_class_is_run_as_a_bot_of_it(tmp_path: Path) -> None:
    async with meet(written(tmp_path, "run(Mine)")) as partner:
        assert partner.hello.name == "Mine"

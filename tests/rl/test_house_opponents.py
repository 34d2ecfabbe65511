"""Bots of one process: each finds the modules of its own folder."""

from __future__ import annotations

from pathlib import Path

from arena.rl.house_opponents import load_bot

BOT = """
from arena.sdk import Bot
from helper import VERSION

class Mine(Bot):
    version = VERSION

    def choose(self, decision):
        return decision.legal[0]
"""


def version(folder: Path, helper: str) -> str:
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "helper.py").write_text(f"VERSION = {helper!r}\n")
    return str(folder / "bot.py")


def test_two_versions_of_a_bot_have_helpers_of_the_same_name(tmp_path: Path) -> None:
    old, new = version(tmp_path / "v1", "1"), version(tmp_path / "v2", "2")
    bots = [load_bot("lost_cities", name) for name in (old, new, old)]
    assert [bot.version for bot in bots] == ["1", "2", "1"]

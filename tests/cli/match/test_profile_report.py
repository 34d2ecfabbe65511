"""`arena match --profile`: the page of the slowest decisions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.match.test_match_command import SEED, arena
from tests.cli.running import run

SLOW = """
from arena.sdk import Bot, run

def dawdle():
    for _ in range(400_000):
        pass

def hurry():
    for _ in range(40_000):
        pass

class Slow(Bot):
    def choose(self, decision):
        hurry()
        dawdle()
        return decision.legal[0]

run(Slow())
"""
BOX = re.compile(r'width:([\d.]+)%;[^>]*title="(\S+) \(slow\.py')


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a set of one short hand."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "slow.py").write_text(SLOW)
    done = arena(
        *("match", "lost_cities", "slow.py", "greedy", "--option", "hands=1", "--seed", SEED),
        *("--profile", "profile.html"),
        cwd=folder,
    )
    assert done.code == 0, done.error
    assert "Slowest decisions" in done.out
    assert "profile.html" in done.out
    return (folder / "profile.html").read_text()


def test_slow_function_is_the_widest_call_of_the_bot(page: str) -> None:
    widths = {name: float(width) for width, name in BOX.findall(page)}
    assert widths["Slow.choose"] == max(widths.values())
    assert widths["Slow.choose"] > widths["dawdle"] > 2 * widths["hurry"]


def test_samples_cover_nearly_all_of_the_time(page: str) -> None:
    covered = re.search(r"Samples cover (\d+) % of the time", page)
    assert covered is not None
    assert int(covered[1]) >= 90


def test_page_needs_neither_network_nor_scripts(page: str) -> None:
    for outside in ("http:", "https:", "<script", "src=", "@import", "url("):
        assert outside not in page


def test_slowest_decisions_are_named_by_match_and_step(page: str) -> None:
    assert len(re.findall(r"<td>[a-z0-9]{16}:\d+</td><td class=\"number\">[01]</td>", page)) == 20


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("greedy", "random"), "profile: all bots are house bots; name a file or a project of yours"),
        (
            ("greedy", "random", "--json"),
            "profile: looks into the bots and prints a table; leave out --sandbox and --json",
        ),
        (("greedy", "random", "--watch"), "leave out --json and --profile"),
    ],
    ids=["house bots", "json", "watch"],
)
def test_what_cannot_be_profiled_is_refused(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run("match", "lost_cities", *arguments, "--profile", str(tmp_path / "profile.html"))
    assert done.code == 2
    assert says in done.error

"""A frozen pool rates the same bot the same each time, and refuses to rate where anything has changed."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli.main import arena as command_line
from arena.core.errors import UsageError
from arena.games import registry
from arena.ratings.model import expected
from arena.rl import reference_pool
from arena.rl.pool_matches import tables
from arena.rl.pool_rating import rate
from arena.rl.reference_pool import PoolChanged

POOL = "reference-2026"


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_pool_is_what_was_rated(game: str) -> None:
    reference_pool.check(reference_pool.read(POOL, game))


@pytest.mark.parametrize("game", registry.GAMES)
def test_greedy_stands_at_1500_and_above_random(game: str) -> None:
    elo = {each.bot: each.elo for each in reference_pool.read(POOL, game).bots}
    assert elo["greedy"] == 1500 > elo["random"]


def test_a_bot_that_has_changed_is_named() -> None:
    pool = reference_pool.read(POOL, "lost_cities")
    file = "arena/games/lost_cities/house_bots/greedy.py"
    changed = replace(pool, sources={**pool.sources, file: "0" * 64})
    with pytest.raises(PoolChanged, match=f"the pool has changed: {file} differ"):
        reference_pool.check(changed)


def test_other_rules_are_named() -> None:
    pool = replace(reference_pool.read(POOL, "lost_cities"), rules_version=0)
    with pytest.raises(PoolChanged, match="version 0 of the rules"):
        reference_pool.check(pool)


def test_another_protocol_does_not_fit_the_digest() -> None:
    pool = replace(reference_pool.read(POOL, "lost_cities"), options={"hands": 1})
    with pytest.raises(PoolChanged, match="SHA-256"):
        reference_pool.check(pool)


@pytest.mark.parametrize(("name", "game"), [("nobody-1999", "lost_cities"), (POOL, "go")])
def test_an_unknown_pool_or_game_is_refused(name: str, game: str) -> None:
    with pytest.raises(UsageError, match=r"must be one of|the pool"):
        reference_pool.read(name, game)


def test_own_bot_meets_all_combinations_of_the_others() -> None:
    assert tables(["a", "b", "c"], 3, "me") == [("me", "a", "b"), ("me", "a", "c"), ("me", "b", "c")]


def test_the_rating_is_where_as_much_is_expected_as_was_won() -> None:
    won, lost = [("me", 1), ("a", 2)], [("me", 2), ("a", 1)]
    found = rate("me", [[won, won], [won, lost], [lost, won]], {"a": 1600.0})
    claimed = 6 / 2 * 2
    points = 4 + 0.5
    assert points == pytest.approx(claimed * expected(found.elo, 1600) + expected(found.elo, 1500), abs=0.01)


def test_more_sets_give_a_smaller_error() -> None:
    mixed = [[[("me", 1), ("a", 2)], [("me", 2), ("a", 1)]], [[("me", 1), ("a", 2)], [("me", 1), ("a", 2)]]]
    assert rate("me", mixed * 10, {"a": 1500.0}).error < rate("me", mixed, {"a": 1500.0}).error


def rated(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command_line, ["rate", *map(str, arguments), "--pool", POOL])


def test_the_same_bot_gets_the_same_rating(tmp_path: Path) -> None:
    bot = tmp_path / "first.py"
    bot.write_text(
        "from arena.sdk import Bot\n\n\nclass First(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"
    )
    said = [rated(bot, "--game", "land_unter", "--sets", "1", "--json") for _ in range(2)]
    assert said[0].exit_code == 0, said[0].output
    assert said[0].stdout == said[1].stdout


def test_which_game_is_asked_for() -> None:
    assert "--game" in str(rated("greedy").exception)

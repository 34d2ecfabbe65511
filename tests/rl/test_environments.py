"""The environments are what PettingZoo and Gymnasium ask of one, in every game."""

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import arena.rl
from arena.core.errors import UsageError
from arena.games import registry
from arena.rl.turn_env import TurnEnv

SHORT = {"lost_cities": {"hands": 1}, "land_unter": {"rounds": 1}, "bottle_imp": {"hands": 1}}
TABLES = [
    pytest.param(game, variant, seats, marks=() if is_first and seats == counts[0] else pytest.mark.long)
    for game, rules in registry.GAMES.items()
    for is_first, (variant, counts) in zip([True, *[False] * 9], rules.variants.items(), strict=False)
    for seats in sorted({counts[0], counts[-1]})
]
"""The first variant of each game with the fewest seats; the others where there is time."""

pytestmark = pytest.mark.filterwarnings("ignore")


def short(game: str) -> dict[str, Any]:
    return SHORT.get(game, {})


@pytest.mark.parametrize(("game", "variant", "seats"), TABLES)
def test_pettingzoo_accepts_the_turn_environment(game: str, variant: str, seats: int) -> None:
    api_test(arena.rl.aec(game, seats, variant=variant, **short(game)), num_cycles=40)


@pytest.mark.parametrize(("game", "variant", "seats"), TABLES)
def test_pettingzoo_accepts_the_parallel_environment(game: str, variant: str, seats: int) -> None:
    parallel_api_test(arena.rl.parallel(game, seats, variant=variant, **short(game)), num_cycles=40)


@pytest.mark.parametrize(("game", "variant", "seats"), TABLES)
def test_pettingzoo_finds_a_seed_to_give_the_same_match(game: str, variant: str, seats: int) -> None:
    seed_test(lambda: arena.rl.aec(game, seats, variant=variant, **short(game)), num_cycles=10)
    parallel_seed_test(lambda: arena.rl.parallel(game, seats, variant=variant, **short(game)), num_cycles=5)


@pytest.mark.parametrize(("game", "variant", "seats"), TABLES)
def test_gymnasium_accepts_the_environment_of_one_seat(game: str, variant: str, seats: int) -> None:
    env = arena.rl.single(game, ["random"], seats=seats, variant=variant, **short(game))
    check_env(env, skip_render_check=True)


def play(env: TurnEnv, seed: int) -> list[str]:
    """Play a match with random legal choices; return what each seat was shown, as text."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    shown = []
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        assert seen is not None
        shown.append(env.text(agent))
        env.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return shown


def test_other_seeds_give_other_matches() -> None:
    env = arena.rl.aec("lost_cities", 2, hands=1)
    assert play(env, 1) == play(env, 1) != play(env, 2)


def test_the_mask_has_the_legal_actions_by_their_numbers() -> None:
    env = arena.rl.aec("land_unter", 3)
    env.reset(seed=1)
    seen, *_ = env.last()
    assert seen is not None
    numbers = [env.numbers.numbers[action] for action in env.legal("seat_0")]
    assert np.flatnonzero(seen["action_mask"]).tolist() == numbers


def test_a_simultaneous_choice_is_not_shown_to_those_who_choose_after_it() -> None:
    env = arena.rl.aec("land_unter", 3)
    shown = []
    for at in (0, 1):
        env.reset(seed=1)
        env.step(env.numbers.numbers[env.legal("seat_0")[at]])
        shown.append(env.text("seat_1"))
    assert shown[0] == shown[1]


def test_rewards_are_the_pairs_won_less_those_lost() -> None:
    env = arena.rl.aec("land_unter", 3, rounds=1)
    env.reset(seed=3)
    while env.table.seat >= 0:
        env.step(env.numbers.numbers[env.table.legal[0]])
    places = [env.infos[agent]["place"] for agent in env.possible_agents]
    beaten = [sum((mine < other) - (mine > other) for other in places) / 2 for mine in places]
    assert [env.rewards[agent] for agent in env.possible_agents] == beaten


def test_an_illegal_action_ends_the_match_and_costs_the_seat_alone() -> None:
    env = arena.rl.aec("lost_cities", 2)
    env.reset(seed=1)
    env.step(env.numbers.numbers["draw R"])
    assert (env.rewards, env.terminations["seat_1"]) == ({"seat_0": -1.0, "seat_1": 0.0}, True)


def test_an_illegal_action_among_several_ends_a_parallel_match() -> None:
    env = arena.rl.parallel("lost_cities", 2)
    env.reset(seed=1)
    _, rewards, *_ = env.step({"seat_0": 0, "seat_1": 0})
    assert (rewards["seat_1"], env.agents) == (-1.0, [])


def test_who_has_no_choice_in_a_parallel_match_can_wait_only() -> None:
    env = arena.rl.parallel("lost_cities", 2)
    seen, _ = env.reset(seed=1)
    waiting = seen["seat_1"]["action_mask"]
    assert np.flatnonzero(waiting).tolist() == [env.action_space("seat_1").n - 1]


def test_an_illegal_action_of_the_one_seat_loses() -> None:
    env = arena.rl.single("lost_cities", ["random"], seat=0)
    env.reset(seed=1)
    space: Any = env.action_space
    _, reward, over, _, info = env.step(space.n - 1)
    assert (reward, over, info["end"]) == (-1.0, True, f"illegal action: {space.n - 1}")


def test_the_one_seat_meets_the_same_opponents_after_the_same_seed() -> None:
    env = arena.rl.single("land_unter", ["greedy", "random", "hoarder"], seats=4)
    texts = []
    for _ in range(2):
        _, info = env.reset(seed=5)
        for _ in range(6):
            *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        texts.append(env.text())
    assert texts[0] == texts[1]


def test_the_text_has_the_view_and_the_legal_actions() -> None:
    env = arena.rl.aec("lost_cities", 2, hands=1, render_mode="ansi")
    env.reset(seed=1)
    text = env.render() or ""
    assert text.splitlines()[0] == "seat: 0"
    assert text.splitlines()[-1] == f"legal: {', '.join(env.legal('seat_0'))}"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: arena.rl.aec("go", 2), "game 'go'"),
        (lambda: arena.rl.aec("lost_cities", 3), "seats 3"),
        (lambda: arena.rl.aec("lost_cities", 2, komi=6), "option 'komi'"),
        (lambda: arena.rl.single("lost_cities", ["nobody"]), "bot 'nobody'"),
        (lambda: arena.rl.single("lost_cities", ["random"], seat=2), "seat 2"),
        (lambda: arena.rl.single("lost_cities", [], seats=2), "opponents"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(make: object, says: str) -> None:
    assert callable(make)
    with warnings.catch_warnings(), pytest.raises(UsageError, match=says):
        make()

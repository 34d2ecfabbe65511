"""A game as PettingZoo's parallel environment: all seats act at once, as they do in the games' simultaneous choices.

Where only some seats have a choice, the others have one action only: to wait.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import ParallelEnv

from arena.rl.rewards import ILLEGAL, from_places
from arena.rl.spaces import Observation, observation, observe
from arena.rl.text import describe
from arena.rl.turn_env import TurnEnv

Each = dict[str, Any]
"""By agent."""


def parallel(
    game: str, seats: int, *, variant: str | None = None, render_mode: str | None = None, **options: int
) -> TogetherEnv:
    """Make an environment of a game; `options` are the game's.  Raises UsageError for a match that cannot be."""
    return TogetherEnv(TurnEnv(game, seats, variant=variant, render_mode=render_mode, options=options))


class TogetherEnv(ParallelEnv):  # type: ignore[misc]  # as in turn_env.py
    """A match of a game; mutable.  What is not legal ends it: each seat that did so gets −1, the others nothing."""

    def __init__(self, turns: TurnEnv) -> None:
        """Play the match that `turns` plays one seat after the other; it is not to be used otherwise."""
        self.metadata = {"name": turns.metadata["name"], "render_modes": ["ansi"], "render_fps": 1}
        self.possible_agents = turns.possible_agents
        self.observation_spaces = turns.observation_spaces
        self.action_spaces = turns.action_spaces
        self.render_mode = turns.render_mode
        self._turns = turns
        self._table = turns.table
        self._numbers = turns.numbers

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a seat's observations."""
        return self._turns.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of a seat's actions."""
        return self._turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Each]]:
        """Deal another match: after a seed, always the same ones."""
        self._turns.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._show()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Each]]:
        """Resolve all open choices with the action of every seat."""
        table, agents = self._table, self.agents
        active = table.seats_to_act()
        wrong = [
            agent
            for seat, agent in enumerate(agents)
            if not self._is_legal(seat, int(actions[agent]), acts=seat in active)
        ]
        if not wrong:
            for seat in active:
                table.choose(self._numbers.name(int(actions[agents[seat]])))
        shown, infos = self._show()
        rewards = dict.fromkeys(agents, 0.0)
        result = table.result()
        if wrong:
            rewards |= dict.fromkeys(wrong, ILLEGAL)
            infos = {agent: info | {"end": "illegal action"} for agent, info in infos.items()}
        elif result is not None:
            rewards = dict(zip(agents, from_places(result.places), strict=True))
            for agent, score, place in zip(agents, result.scores, result.places, strict=True):
                infos[agent] |= {"end": result.end, "score": score, "place": place}
        over = bool(wrong) or result is not None
        self.agents = [] if over else agents
        return shown, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def text(self, agent: str) -> str:
        """Return the position as text, as a seat may know it."""
        seat, table = self.possible_agents.index(agent), self._table
        return describe(table.game.view(table.state, seat), seat, self._legal(seat))

    def render(self) -> str | None:
        """Return the position as the first seat may know it that has a choice; None without `render_mode`."""
        if self.render_mode != "ansi":
            return None
        return self.text(self.possible_agents[max(self._table.seat, 0)])

    def close(self) -> None:
        """Nothing is to be closed."""

    def _legal(self, seat: int) -> tuple[str, ...]:
        table = self._table
        return table.game.legal(table.state, seat) if seat in table.seats_to_act() else ()

    def _is_legal(self, seat: int, number: int, *, acts: bool) -> bool:
        if not acts:
            return number == self._numbers.wait
        return self._numbers.name(number) in self._table.game.legal(self._table.state, seat)

    def _show(self) -> tuple[dict[str, Observation], dict[str, Each]]:
        table, turns = self._table, self._turns
        active = table.seats_to_act()
        shown: dict[str, Observation] = {}
        for seat, agent in enumerate(self.possible_agents):
            view = observe(table.game, turns.encoding, table.state, seat, len(self.possible_agents))
            legal = table.game.legal(table.state, seat) if seat in active else ()
            shown[agent] = observation(view, self._numbers, legal)
        return shown, {agent: {"action_mask": each["action_mask"]} for agent, each in shown.items()}

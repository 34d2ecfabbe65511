"""A game as PettingZoo's turn environment (AEC): one seat after the other, every choice that the rules ask for."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from arena.games import registry
from arena.rl.action_numbers import action_numbers, encoding
from arena.rl.rewards import ILLEGAL, from_places
from arena.rl.seeding import MatchSeeds
from arena.rl.spaces import Observation, observation, observation_space, observe
from arena.rl.table import NOBODY, Table
from arena.rl.text import describe


def aec(
    game: str, seats: int, *, variant: str | None = None, render_mode: str | None = None, **options: int
) -> TurnEnv:
    """Make an environment of a game; `options` are the game's.  Raises UsageError for a match that cannot be."""
    return TurnEnv(game, seats, variant=variant, render_mode=render_mode, options=options)


class TurnEnv(AECEnv):  # type: ignore[misc]  # PettingZoo says nothing of its types
    """A match of a game; mutable.  What is not legal ends it: the seat gets −1, the others nothing."""

    def __init__(
        self, game: str, seats: int, *, variant: str | None, render_mode: str | None, options: dict[str, int]
    ) -> None:
        """Prepare a match; `reset` deals it.  Raises UsageError."""
        super().__init__()
        rules = registry.find(game)
        self.setup = rules.setup(seats, variant=variant, options=options)
        self.encoding = encoding(game)
        self.numbers = action_numbers(game)
        self.table = Table(rules, self.setup)
        self.render_mode = render_mode
        self.metadata = {
            "name": game,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: observation_space(self.encoding, self.numbers) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.numbers.count) for agent in self.possible_agents}
        self._match_seeds = MatchSeeds()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a seat's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of a seat's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - of the interface
        """Deal another match: after a seed, always the same ones."""
        if seed is not None:
            self._match_seeds = MatchSeeds(seed)
        self.table.deal(self._match_seeds.draw())
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Observation:
        """Show the position to a seat; the mask is of the choice that it has now, which is also in its info."""
        table, seat = self.table, self._seats[agent]
        view = observe(table.game, self.encoding, table.state, seat, len(self._seats))
        shown = observation(view, self.numbers, self.legal(agent))
        self.infos[agent]["action_mask"] = shown["action_mask"]
        return shown

    def legal(self, agent: str) -> tuple[str, ...]:
        """Return the legal actions of a seat in the game's notation; none if the choice is not its own now."""
        return self.table.legal if self.table.seat == self._seats[agent] else ()

    def step(self, action: int | None) -> None:
        """Make the choice of the seat whose turn it is; None once the match is over for it."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        if not table.choose(self.numbers.name(action)):
            self._end({agent: ILLEGAL}, f"illegal action: {action}")
            return
        if table.seat != NOBODY:
            self.agent_selection = self.possible_agents[table.seat]
            return
        result = table.result()
        assert result is not None  # noqa: S101 - nobody has a choice
        self._end(dict(zip(self.possible_agents, from_places(result.places), strict=True)), result.end)
        for agent, score, place in zip(self.possible_agents, result.scores, result.places, strict=True):
            self.infos[agent] |= {"score": score, "place": place}

    def render(self) -> str | None:
        """Return the position as text, as the seat may know it whose turn it is; None without `render_mode`."""
        return self.text(self.agent_selection) if self.render_mode == "ansi" else None

    def text(self, agent: str) -> str:
        """Return the position as text, as a seat may know it."""
        seat = self._seats[agent]
        return describe(self.table.game.view(self.table.state, seat), seat, self.legal(agent))

    def close(self) -> None:
        """Nothing is to be closed."""

    def _end(self, rewards: dict[str, float], end: str) -> None:
        for agent in self.agents:
            self.rewards[agent] = rewards.get(agent, 0.0)
            self.terminations[agent] = True
            self.infos[agent] = {"end": end}
        self._accumulate_rewards()
        self._deads_step_first()

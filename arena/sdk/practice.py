"""Playing at once, in one process and without clocks: for tests, and for training against other bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from arena.core.notes import Notes
from arena.games.chance import bot_seed
from arena.games.kernel import Answer, Choice, Decision, Played, Result, Step, Talk, advance, check_line
from arena.games.registry import find
from arena.sdk import bot as sdk

_NO_HURRY = sdk.Clock(bank_ms=30_000, limit_ms=10_000)


class PracticeMatch:
    """A match between bots of this process; mutable.  A seat without a bot is the caller's.

    Every match is what a referee would play for the same seed.
    """

    def __init__(
        self,
        game: str,
        bots: Sequence[sdk.Bot[Any] | None],
        *,
        seed: bytes = bytes(32),
        variant: str | None = None,
        options: Mapping[str, int] | None = None,
    ) -> None:
        """Deal, and announce the match to the bots.  Raises UsageError for a match that cannot be."""
        self.rules = rules = find(game)
        talks = tuple([bot is not None and bot.talks for bot in bots])
        self.setup = setup = rules.setup(len(bots), variant=variant, options=options, talks=talks)
        self.bots = tuple(bots)
        self.state, dealt = rules.new(setup, seed)
        self.steps = list(dealt)
        self.notes: dict[int, Notes] = {}
        """The notes of the bots, by the number of the step that the action is; what breaks a limit is left out."""
        self._noted: dict[int, Notes] = {}
        """On the open decisions, by seat."""
        self._together = 0
        self._matches = tuple(
            sdk.Match(
                id="practice",
                game=game,
                variant=setup.variant,
                options=MappingProxyType(dict(setup.options)),
                seat=seat,
                seats=len(bots),
                random=Random(bot_seed(seed, seat)),
            )
            for seat in range(len(bots))
        )
        for bot, match in zip(bots, self._matches, strict=True):
            if bot is not None:
                bot.on_start(match)

    def history(self, seat: int, count: int) -> tuple[Step, ...]:
        """Return what a seat has seen of the first `count` steps."""
        see = self.rules.seen
        return tuple([seen for step in self.steps[:count] if (seen := see(step, seat)) is not None])

    def ask(self, decision: Decision, legal: tuple[str, ...]) -> Answer:
        """Have the bot of the seat answer.  Raises IllegalAction for a line of talk beyond its limits."""
        seat = decision.seat
        bot = self.bots[seat]
        assert bot is not None  # noqa: S101 - the caller answers for its own seats
        asked = sdk.Decision(
            self._matches[seat],
            legal=legal,
            clock=_NO_HURRY,
            view=partial(self.rules.view, self.state, seat),
            history=partial(self.history, seat, len(self.steps)),
            limits=None if isinstance(decision, Choice) else decision.limits,
        )
        if isinstance(decision, Talk):
            line = bot.say(asked)
            check_line(decision, line, len(self.bots))
            return line
        chosen = bot.choose(asked)
        if asked.notepad is not None and asked.notepad.message(chosen, legal)[1] is None:
            self._noted[seat] = asked.notepad.notes(chosen)
        return chosen

    def resolve(self, answers: Sequence[Answer]) -> None:
        """Play on with the answers to all open decisions.  Raises IllegalAction."""
        self.state, more, self._together = advance(self.rules, self.state, answers, self._together)
        if self._noted:
            self.notes |= {
                len(self.steps) + at: self._noted[step.seat]
                for at, step in enumerate(more)
                if isinstance(step, Played) and step.seat in self._noted
            }
            self._noted = {}
        self.steps.extend(more)

    def end(self, outcome: sdk.Outcome) -> None:
        """Tell the bots how it ended."""
        for bot, match in zip(self.bots, self._matches, strict=True):
            if bot is not None:
                bot.on_end(match, outcome)


def play_out(match: PracticeMatch) -> Result:
    """Play a match to its end; the only legal action is played without asking.  Raises IllegalAction."""
    rules = match.rules
    while (result := rules.result(match.state)) is None:
        answers: list[Answer] = []
        for decision in rules.to_act(match.state):
            legal = rules.legal(match.state, decision.seat) if isinstance(decision, Choice) else ()
            answers.append(legal[0] if len(legal) == 1 else match.ask(decision, legal))
        match.resolve(answers)
    match.end(sdk.Outcome(result.places, result.scores, result.end))
    return result


def practise(
    game: str,
    bots: Sequence[sdk.Bot[Any]],
    *,
    seed: bytes = bytes(32),
    variant: str | None = None,
    options: Mapping[str, int] | None = None,
) -> Result:
    """Play one match between bots of this process, in seat order.

    Gives what a referee would give for the same seed.  Raises UsageError for a match that cannot be, and
    IllegalAction where a bot's answer is not legal.
    """
    return play_out(PracticeMatch(game, bots, seed=seed, variant=variant, options=options))

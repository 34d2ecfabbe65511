"""Playing at once, in one process and without clocks: for tests, and for training against other bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from arena.games.chance import bot_seed
from arena.games.kernel import Answer, Choice, Decision, Result, Step, Talk, advance, check_line
from arena.games.registry import find
from arena.sdk import bot as sdk

_NO_HURRY = sdk.Clock(bank_ms=30_000, limit_ms=10_000)


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
    rules = find(game)
    setup = rules.setup(len(bots), variant=variant, options=options, talks=tuple(bot.talks for bot in bots))
    matches = tuple(
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
    state, dealt = rules.new(setup, seed)
    steps = list(dealt)
    together = 0
    for bot, match in zip(bots, matches, strict=True):
        bot.on_start(match)

    def history(seat: int, count: int) -> tuple[Step, ...]:
        return tuple(seen for step in steps[:count] if (seen := rules.seen(step, seat)) is not None)

    def ask(decision: Decision) -> Answer:
        seat = decision.seat
        choice = isinstance(decision, Choice)
        legal = rules.legal(state, seat) if choice else ()
        if len(legal) == 1:
            return legal[0]
        asked = sdk.Decision(
            matches[seat],
            legal=legal,
            clock=_NO_HURRY,
            view=partial(rules.view, state, seat),
            history=partial(history, seat, len(steps)),
            limits=None if isinstance(decision, Choice) else decision.limits,
        )
        if isinstance(decision, Talk):
            line = bots[seat].say(asked)
            check_line(decision, line, len(bots))
            return line
        return bots[seat].choose(asked)

    while (result := rules.result(state)) is None:
        answers = [ask(decision) for decision in rules.to_act(state)]
        state, more, together = advance(rules, state, answers, together)
        steps.extend(more)
    outcome = sdk.Outcome(result.places, result.scores, result.end)
    for bot, match in zip(bots, matches, strict=True):
        bot.on_end(match, outcome)
    return result

"""What a bot author imports: `Bot`, `run`, and the words they speak of."""

from arena.games.kernel import SILENCE, Claim, Line
from arena.sdk.bot import Bot, Clock, Decision, Match, Outcome
from arena.sdk.practice import practise
from arena.sdk.program import run

__all__ = ["SILENCE", "Bot", "Claim", "Clock", "Decision", "Line", "Match", "Outcome", "practise", "run"]

"""`arena bot analyse`: what it takes, and how often two runs of different seeds name the same worst decision of a match.

`make bench ARGS="analyse --matches 3"` takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from time import process_time
from typing import Any

from arena.analysis import find_losses, list_decisions
from arena.analysis.loss_search import Found
from arena.games import registry
from arena.games.chance import commitment
from arena.games.kernel import SILENCE, Action, Answer, Choice, advance
from arena.games.package import GamePackage
from arena.match.record import Ending, Participant, Record, RecordedStep
from arena.sdk import Bot, Decision
from arena.sdk.practice import practise
from bench.figures import Figure

MATCHES = 20
"""Of each game: an hour and a half at most, half of that usually."""
SECONDS = 29.0
LEAST_AGREE = 0.8
_OVER = 1.0
"""Seconds by which a run may exceed its budget: the last look is not cut short."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs over one match."""

    same: bool
    """Whether both name the same decision as the costliest."""
    tie: bool
    """Whether they do not, but each says itself that the other's may have cost as much."""
    certain: bool
    """Whether both were certain."""
    seconds: float
    """The longer one's."""


def measure(matches: int = MATCHES) -> list[Figure]:
    """Measure matches of the house bots without `search`, in turn; one seat of each match is judged."""
    figures = []
    for package in registry.PACKAGES.values():
        if package.search_plan is None:
            continue
        found = [compare(play(package, number, seated(package, number)), number) for number in range(matches)]
        longest = max(each.seconds for each in found)
        mean = sum(each.seconds for each in found) / len(found)
        certain = sum(each.certain for each in found)
        name = f"{package.game.id}: a match analysed"
        note = f"{mean:.1f} s on average, {certain} of {len(found)} ended before the budget did"
        figures += [
            Figure(name, round(longest, 1), "s of one core", SECONDS + _OVER, at_least=False, note=note),
            Figure(
                f"{package.game.id}: two runs agree on the worst decision",
                round(sum(each.same for each in found) / len(found), 3),
                "",
                LEAST_AGREE,
                note=f"{sum(each.same for each in found)} of {len(found)}; "
                f"{sum(each.tie for each in found)} more are ties by both reports",
            ),
        ]
    return figures


def compare(record: Record, number: int, budget_s: float = SECONDS) -> Compared:
    """Analyse one seat of a match twice with different seeds."""
    decisions = list_decisions(record, {number % len(record.seats)})
    plan = registry.package(record.game).search_plan
    assert plan is not None
    runs = []
    longest = 0.0
    for seed in ("one", "other"):
        began = process_time()
        runs.append(find_losses(decisions, plan, seed, partial(_used, began, budget_s)))
        longest = max(longest, process_time() - began)
    one, other = (_costliest(run) for run in runs)
    same = one[:1] == other[:1]
    tie = not same and set(one[:1]) <= set(other) and set(other[:1]) <= set(one)
    return Compared(same, tie, all(run.certain for run in runs), longest)


def _costliest(run: Found) -> list[int]:
    """Return the number of the costliest decision, if one cost anything, and those of its ties."""
    return [loss.decision.number for loss in (run.worst, *run.ties) if loss is not None and loss.loss > 0]


def seated(package: GamePackage, number: int) -> list[str]:
    """Name the bots of a match: the house's, each in turn in each seat; `search` thinks too long."""
    names = [name for name in package.house_bots if name != "search"]
    seats = max(2, next(iter(package.game.variants.values())).start)
    return [names[(number + seat) % len(names)] for seat in range(seats)]


def _used(began: float, budget_s: float, _work: int) -> float:
    return (process_time() - began) / budget_s


def play(package: GamePackage, number: int, names: Sequence[str]) -> Record:
    """Play a match of house bots within this process, and return its record."""
    game = package.game
    seats = len(names)
    seed = sha256(f"{game.id}/{number}".encode()).digest()
    answers: list[Action] = []
    practise(game.id, [_Noted(_bot(package, name), answers.append) for name in names], seed=seed)
    setup = game.setup(seats)
    state, steps = game.new(setup, seed)
    together, given = 0, iter(answers)
    while decisions := game.to_act(state):
        chosen: list[Answer] = []
        for each in decisions:
            legal = game.legal(state, each.seat) if isinstance(each, Choice) else ()
            chosen.append(SILENCE if not legal else legal[0] if len(legal) == 1 else next(given))
        state, more, together = advance(game, state, chosen, together)
        steps = (*steps, *more)
    result = game.result(state)
    assert result is not None
    match = f"analyse-{number}"
    return Record(
        match=match,
        game=game.id,
        variant=setup.variant,
        options=setup.options,
        seed=seed,
        commitment=commitment(match, seed),
        seats=tuple(Participant(name, "1") for name in names),
        steps=tuple(RecordedStep(step) for step in steps),
        result=Ending.by_rules(result),
    )


def _bot(package: GamePackage, name: str) -> Bot[Any]:
    module = import_module(package.house_module(name))
    kind: type[Bot[Any]] = getattr(module, "".join(word.capitalize() for word in name.split("_")))
    return kind()


class _Noted(Bot[Any]):
    """A bot whose actions are noted as it chooses them."""

    def __init__(self, bot: Bot[Any], note: Callable[[Action], object]) -> None:
        self._bot = bot
        self._note = note

    def choose(self, decision: Decision[Any]) -> Action:
        action = self._bot.choose(decision)
        self._note(action)
        return action

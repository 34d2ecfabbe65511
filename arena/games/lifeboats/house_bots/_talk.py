"""What the house bots for Lifeboats that talk share: what was said before this vote, and whose word is good."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.kernel import Claim, Line, Played, Said, Step
from arena.games.lifeboats import LifeboatsView
from arena.sdk import Decision


def promise(seat: int, letter: str, ask: Sequence[int] = ()) -> Line:
    """Promise a vote at the vote at hand, and ask up to three others for the same."""
    asks = [Claim("ask", other, letter, "this") for other in ask[:3]]
    text = f"I vote {letter}, and so should you." if asks else f"I vote {letter}."
    return Line(text, (Claim("promise", seat, letter, "this"), *asks))


def promised(history: Sequence[Step], *, voted: bool = False) -> dict[int, str]:
    """Return what each seat has promised for the vote at hand, by its last word; `voted` says that all have voted."""
    last = history[-1] if voted else None
    over = last.together if isinstance(last, Played) else None
    given: dict[int, str] = {}
    for step in reversed(history):
        if isinstance(step, Said):
            for seat, letter in _own_promises(step):
                given.setdefault(seat, letter)
        elif isinstance(step, Played) and step.together not in {None, over}:
            break  # the vote before
    return given


def word(decision: Decision[LifeboatsView]) -> str:
    """Return the action that keeps what was promised, or nothing if that is none of the legal ones."""
    voted = decision.view.stage == "choose"
    letter = promised(decision.history, voted=voted).get(decision.seat)
    action = f"choose {letter}" if voted else f"vote {letter}"
    return action if action in decision.legal else ""


def asked_of(history: Sequence[Step], seat: int) -> dict[int, str]:
    """Return what others have asked a seat to vote at the vote at hand: who asks, and for what."""
    asked: dict[int, str] = {}
    for step in reversed(history):
        if isinstance(step, Played) and step.together is not None:
            break
        if isinstance(step, Said):
            for claim in step.line.claims:
                if claim.kind == "ask" and claim.seat == seat and claim.when == "this":
                    asked.setdefault(step.seat, claim.vote)
    return asked


def trusted(history: Sequence[Step]) -> set[int]:
    """Name the seats that have kept their promises more often than not; who has made none is not among them."""
    balance: dict[int, int] = {}
    promises: dict[int, str] = {}
    voting = False
    for step in history:
        if isinstance(step, Said):
            if voting:  # what was said before the vote before is settled
                promises, voting = {}, False
            promises.update(_own_promises(step))
        elif isinstance(step, Played) and step.together is not None:
            voting = True
            if step.seat in promises:
                kept = step.action == f"vote {promises.pop(step.seat)}"
                balance[step.seat] = balance.get(step.seat, 0) + (1 if kept else -2)
    return {seat for seat, good in balance.items() if good > 0}


def _own_promises(said: Said) -> list[tuple[int, str]]:
    return [
        (said.seat, claim.vote)
        for claim in said.line.claims
        if (claim.kind, claim.seat, claim.when) == ("promise", said.seat, "this")
    ]

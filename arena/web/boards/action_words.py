"""Actions and steps in words, in the page's language; the notation of the game's rules is shown next to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.core.translatable import mark, say
from arena.games import registry
from arena.games.kernel import HIDDEN, Action, Chance, Claim, DummyPlayed, Line, Played, Said, Step
from arena.web.boards.decorations import decorate

_DEAL = mark("The cards are dealt.")
"""Description of a chance event that its game has no words for."""


def action(game: str, text: str) -> str:
    """Write an action in words; an unknown one stays in notation."""
    return _phrase(game, text, lambda word: name(game, word))


def action_with_cards(game: str, text: str) -> str:
    """Write an action in words, with its cards in notation, so that they can be drawn; boats get their names."""
    if registry.package(game).phrases.draws_cards:
        return _phrase(game, text, str)
    return action(game, text)


def done(game: str, text: str, *, yours: bool = False, with_cards: bool = False) -> str | None:
    """Write what a seat did, after its name or, if it is `yours`, as a sentence; None where the game has no words for it.

    With cards, those stay in notation, as in `action_with_cards`.
    """
    package = registry.package(game).phrases
    phrases = {pattern: each[yours] for pattern, each in package.done.items()}
    if not _patterns(text.split(), phrases):
        return None
    if with_cards and package.draws_cards:
        return _fill(text, phrases, str)
    return _fill(text, phrases, lambda word: name(game, word))


def _phrase(game: str, text: str, write: Callable[[str], str]) -> str:
    return _fill(text, registry.package(game).phrases.actions, write)


def _fill(text: str, phrases: Mapping[str, str], write: Callable[[str], str]) -> str:
    words = text.split()
    for pattern in _patterns(words, phrases):
        named = {key: write(word) for key, word in zip("abc", words[1:], strict=False)}
        return say(phrases[pattern], **named)
    return text


def task(game: str, view: Any, seat: int, legal: Sequence[Action]) -> str:  # noqa: ANN401 - each game has its own view
    """Write what a seat has to do; without legal actions it may talk."""
    phrases = registry.package(game).phrases
    return decorate(game, "a task", mark("Your turn"), lambda: phrases.task(view, seat, legal))


def one_click_lines(game: str, view: Any, seat: int, names: Sequence[str]) -> Sequence[tuple[Claim, str]]:  # noqa: ANN401 - each game has its own view
    """List the claims that a seat is most likely to make now, each in words."""
    phrases = registry.package(game).phrases
    none: Sequence[tuple[Claim, str]] = ()
    return decorate(game, "its lines", none, lambda: phrases.one_click_lines(view, seat, names))


def step(game: str, seen: Step, names: Sequence[str]) -> tuple[int | None, str]:
    """Write what a seat has seen in words: the acting seat, None for chance, and the action."""
    match seen:
        case Played(seat, text):
            return seat, action(game, text)
        case Said(seat, line):
            return seat, speech(game, line, names)
        case DummyPlayed(text):
            return None, say("dummy: {action}", action=action(game, text))
        case Chance(event, _):
            return None, say(registry.package(game).phrases.chance.get(event, _DEAL))


def speech(game: str, line: Line, names: Sequence[str]) -> str:
    """Write a line of talk in words: what was said in quotes, then the claims."""
    spoken: str = say("“{text}”", text=line.text) if line.text else ""
    before = None
    for claim in line.claims:
        claimed = _claim(game, claim, names, before)
        spoken = say("{before} · {claim}", before=spoken, claim=claimed) if spoken else claimed
        before = claim
    return spoken


def _patterns(words: Sequence[str], phrases: Mapping[str, str]) -> list[str]:
    """List the phrases that fit an action, the closest first."""
    found = []
    for pattern in phrases:
        parts = pattern.split()
        if len(parts) == len(words) and all(
            part in {"_", word} for part, word in zip(parts, words, strict=True)
        ):
            found.append(pattern)
    return sorted(found, key=lambda pattern: pattern.count("_"))


def name(game: str, word: str) -> str:
    """Write what an action names in words: a card, a boat; what is not known stays as it is."""
    if word == HIDDEN:
        return say("a hidden card")
    return registry.package(game).phrases.name(word)


def time_of_claim(game: str, when: str) -> str:
    """Write when the vote is that a claim is about."""
    return registry.package(game).phrases.whens.get(when, when)


def _claim(game: str, claim: Claim, names: Sequence[str], before: Claim | None) -> str:
    """Write a claim in words; one about the same vote as the claim before it may have shorter ones."""
    seat = names[claim.seat] if claim.seat < len(names) else claim.seat
    claims = registry.package(game).phrases.claims
    repeats = before is not None and (before.vote, before.when) == (claim.vote, claim.when)
    phrase = claims.get(f"{claim.kind} the same") if repeats else None
    when = say(time_of_claim(game, claim.when))
    words = phrase or claims.get(claim.kind, claim.kind)
    return say(words, vote=name(game, claim.vote), seat=seat, when=when)

"""Actions and steps in words, in a language of the pages; the notation of a game's page stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.games.kernel import HIDDEN, Chance, Claim, DummyPlayed, Line, Played, Said, Step
from arena.web.languages import mark

Say = Callable[[str], str]
"""Gives a marked text in the page's language."""

_LOST_CITIES = {
    "play _": mark("play %(a)s"),
    "discard _": mark("discard %(a)s"),
    "draw deck": mark("draw from the pile"),
    "draw _": mark("take the top card of the %(a)s discards"),
}
_LAND_UNTER = {"play _": mark("play the %(a)s")}
_BOTTLE_IMP = {
    "devil _": mark("give the %(a)s to the devil"),
    "left _": mark("pass the %(a)s to the left"),
    "right _": mark("pass the %(a)s to the right"),
    "pass _": mark("pass the %(a)s"),
    "open 1": mark("lay the first hand open"),
    "open 2": mark("lay the second hand open"),
    "play _": mark("play the %(a)s"),
}
_LIFEBOATS = {
    "launch _": mark("launch a boat in column %(a)s"),
    "board s _": mark("seat a sailor in the %(b)s boat"),
    "board o _": mark("seat an officer in the %(b)s boat"),
    "vote _": mark("vote for %(a)s"),
    "hat": mark("play a captain's hat"),
    "choose _": mark("decide for %(a)s"),
    "talk on": mark("have another round of talk"),
    "end talk": mark("end the talk"),
    "leave s _": mark("take a sailor out of the %(b)s boat"),
    "leave o _": mark("take an officer out of the %(b)s boat"),
    "enter _": mark("put it into the %(a)s boat"),
}
_TEOTLATOLLI = {
    "draw": mark("draw two signs"),
    "keep": mark("keep the hand as it is"),
    "play _ _": mark("play %(a)s to god %(b)s"),
    "switch _ _": mark("take %(a)s over at god %(b)s"),
    "move _ depot _": mark("move %(a)s from the depot to god %(c)s"),
    "move _ _ _": mark("move %(a)s from god %(b)s to god %(c)s"),
    "use _": mark("spend %(a)s for one more switch or move"),
    "discard _": mark("discard %(a)s"),
    "give _": mark("give %(a)s into the other depot"),
    "end": mark("end the turn"),
}
PHRASES: Mapping[str, Mapping[str, str]] = {
    "lost_cities": _LOST_CITIES,
    "land_unter": _LAND_UNTER,
    "bottle_imp": _BOTTLE_IMP,
    "lifeboats": _LIFEBOATS,
    "teotlatolli": _TEOTLATOLLI,
}
"""By game: an action's words, `_` for one that names something → the action for people.  What is missing stays in notation."""

_COLOURS = {
    "lost_cities": {
        "R": mark("red"),
        "G": mark("green"),
        "W": mark("white"),
        "B": mark("blue"),
        "Y": mark("yellow"),
    },
    "lifeboats": {
        "W": mark("white"),
        "O": mark("orange"),
        "Y": mark("yellow"),
        "R": mark("red"),
        "G": mark("green"),
        "P": mark("purple"),
        "K": mark("black"),
    },
}
_WAGER = mark("%(colour)s wager")
_SECRET = mark("a hidden card")
_CLAIMS = {
    "promise": mark("promises: %(vote)s"),
    "ask": mark("asks seat %(seat)s: %(vote)s"),
    "threat": mark("threatens: %(vote)s"),
}
_DEALT = mark("cards are dealt")
_DUMMY = mark("nobody's hand: %(action)s")


def action(game: str, text: str, say: Say) -> str:
    """Write an action in words; one that is not known stays as it is."""
    words = text.split()
    phrases = PHRASES.get(game, {})
    for pattern in _patterns(words, phrases):
        names = {key: name(game, word, say) for key, word in zip("abc", words[1:], strict=False)}
        return say(phrases[pattern]) % names
    return text


def step(game: str, seen: Step, names: Sequence[str], say: Say) -> tuple[int | None, str]:
    """Write what a seat has seen in words: whose doing it was, None for nobody's, and what."""
    match seen:
        case Played(seat, text):
            return seat, action(game, text, say)
        case Said(seat, line):
            return seat, speech(game, line, names, say)
        case DummyPlayed(text):
            return None, say(_DUMMY) % {"action": action(game, text, say)}
        case Chance():
            return None, say(_DEALT)


def speech(game: str, line: Line, names: Sequence[str], say: Say) -> str:
    """Write a line of talk in words."""
    claims = [_claim(game, claim, names, say) for claim in line.claims]
    return " ".join([f"“{line.text}”", *claims] if line.text else claims)


def _patterns(words: Sequence[str], phrases: Mapping[str, str]) -> list[str]:
    """List the phrases that fit an action, the closest first."""
    found = []
    for pattern in phrases:
        parts = pattern.split()
        if len(parts) == len(words) and all(part in {"_", word} for part, word in zip(parts, words, strict=True)):
            found.append(pattern)
    return sorted(found, key=lambda pattern: pattern.count("_"))


def name(game: str, word: str, say: Say) -> str:
    """Write what an action names in words: a card, a boat; what is not known stays as it is."""
    if word == HIDDEN:
        return say(_SECRET)
    colours = _COLOURS.get(game, {})
    if word[0] not in colours:
        return word
    colour = say(colours[word[0]])
    if word[1:] == "x":
        return say(_WAGER) % {"colour": colour}
    return f"{colour} {word[1:]}".strip()


def _claim(game: str, claim: Claim, names: Sequence[str], say: Say) -> str:
    vote = name(game, claim.vote, say)
    seat = names[claim.seat] if claim.seat < len(names) else claim.seat
    known = _CLAIMS.get(claim.kind)
    return f"({say(known) % {'vote': vote, 'seat': seat} if known else f'{claim.kind} {vote}'})"

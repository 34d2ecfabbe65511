"""Actions and steps in words, which pages tell in their language; the notation of a game's page stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.core.translatable import mark, say
from arena.games.kernel import HIDDEN, Chance, Claim, DummyPlayed, Line, Played, Said, Step

_LOST_CITIES = {
    "play _": mark("play {a}"),
    "discard _": mark("discard {a}"),
    "draw deck": mark("draw from the pile"),
    "draw _": mark("take the top card of the {a} discards"),
}
_LAND_UNTER = {"play _": mark("play the {a}")}
_BOTTLE_IMP = {
    "devil ?": mark("give a card to the devil"),
    "left ?": mark("pass a card to the left"),
    "right ?": mark("pass a card to the right"),
    "pass ?": mark("pass a card"),
    "devil _": mark("give the {a} to the devil"),
    "left _": mark("pass the {a} to the left"),
    "right _": mark("pass the {a} to the right"),
    "pass _": mark("pass the {a}"),
    "open 1": mark("lay the first hand open"),
    "open 2": mark("lay the second hand open"),
    "play _": mark("play the {a}"),
}
_LIFEBOATS = {
    "launch _": mark("launch a boat in column {a}"),
    "board s _": mark("seat a sailor in the {b} boat"),
    "board o _": mark("seat an officer in the {b} boat"),
    "vote _": mark("vote for {a}"),
    "hat": mark("play a captain's hat"),
    "choose _": mark("decide for {a}"),
    "talk on": mark("have another round of talk"),
    "end talk": mark("end the talk"),
    "leave s _": mark("take a sailor out of the {b} boat"),
    "leave o _": mark("take an officer out of the {b} boat"),
    "enter _": mark("put it into the {a} boat"),
}
_TEOTLATOLLI = {
    "draw": mark("draw two signs"),
    "keep": mark("keep the hand as it is"),
    "play _ _": mark("play {a} to god {b}"),
    "switch _ _": mark("take {a} over at god {b}"),
    "move _ depot _": mark("move {a} from the depot to god {c}"),
    "move _ _ _": mark("move {a} from god {b} to god {c}"),
    "use _": mark("spend {a} for one more switch or move"),
    "discard _": mark("discard {a}"),
    "give _": mark("give {a} into the other depot"),
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
_NAMES_NO_CARDS = frozenset({"lifeboats"})
_CHANCE = {
    "deal": mark("the cards are dealt"),
    "setup": mark("the boats are launched"),
    "water": mark("the water cards are shuffled"),
    "reshuffle": mark("the discarded signs become the new reserve"),
}
"""By name of a chance event: what happens, in words."""
_CLAIMS = {
    "promise": mark("promises: {vote}, {when}"),
    "ask": mark("asks {seat}: {vote}, {when}"),
    "threat": mark("threatens: {vote}, {when}"),
}
_WHENS = {
    "this": mark("now"),
    "leak": mark("at the next leak"),
    "move": mark("at the next move"),
    "overboard": mark("when somebody goes overboard next"),
}


def action(game: str, text: str) -> str:
    """Write an action in words; an unknown one stays in notation."""
    return _phrase(game, text, lambda word: name(game, word))


def action_with_cards(game: str, text: str) -> str:
    """Write an action in words, with its cards in notation, so that they can be drawn; boats get their names."""
    return _phrase(game, text, lambda word: name(game, word) if game in _NAMES_NO_CARDS else word)


def _phrase(game: str, text: str, write: Callable[[str], str]) -> str:
    words = text.split()
    phrases = PHRASES.get(game, {})
    for pattern in _patterns(words, phrases):
        named = {key: write(word) for key, word in zip("abc", words[1:], strict=False)}
        return say(phrases[pattern], **named)
    return text


def step(game: str, seen: Step, names: Sequence[str]) -> tuple[int | None, str]:
    """Write what a seat has seen in words: whose doing it was, None for nobody's, and what."""
    match seen:
        case Played(seat, text):
            return seat, action(game, text)
        case Said(seat, line):
            return seat, speech(game, line, names)
        case DummyPlayed(text):
            return None, say("nobody's hand: {action}", action=action(game, text))
        case Chance(event, _):
            return None, say(_CHANCE.get(event, _CHANCE["deal"]))


def speech(game: str, line: Line, names: Sequence[str]) -> str:
    """Write a line of talk in words: what was said in quotes, claims in brackets."""
    spoken: str = say("“{text}”", text=line.text) if line.text else ""
    for claim in line.claims:
        claimed = say("({claim})", claim=_claim(game, claim, names))
        spoken = say("{before} {claim}", before=spoken, claim=claimed) if spoken else claimed
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
    colours = _COLOURS.get(game, {})
    if word[0] not in colours:
        return word
    colour = say(colours[word[0]])
    if word[1:] == "x":
        return say("{colour} wager", colour=colour)
    return say("{colour} {rank}", colour=colour, rank=word[1:]) if word[1:] else colour


def _claim(game: str, claim: Claim, names: Sequence[str]) -> str:
    seat = names[claim.seat] if claim.seat < len(names) else claim.seat
    when = say(_WHENS.get(claim.when, claim.when))
    return say(_CLAIMS.get(claim.kind, claim.kind), vote=name(game, claim.vote), seat=seat, when=when)

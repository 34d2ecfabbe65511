"""The actions of Lifeboats as strings, made once: tables by seat count, and by sets of boats or columns."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.kernel import Action, Answer
from arena.games.lifeboats.state import BLACK, COLOURS, COLUMNS, OFFICER, PAWNS, SAILOR

HAT = "hat"
TALK_ON = "talk on"
END_TALK = "end talk"
STICK = (TALK_ON, END_TALK)

_WORTH = {"s": SAILOR, "o": OFFICER}

Actions = tuple[Action, ...]


class Words(NamedTuple):
    """The actions for one seat count."""

    letters: str
    """Of the boats."""

    votes: tuple[Actions, ...]
    """By the set of options."""

    votes_or_hat: tuple[Actions, ...]
    chooses: tuple[Actions, ...]
    enters: tuple[Actions, ...]
    boards: tuple[tuple[Actions, ...], ...]
    """By boat, then by the pawns there are."""

    leaves: tuple[tuple[Actions, ...], ...]
    voted: dict[Answer, int]
    """Action → the boat or colour it names."""

    chosen: dict[Answer, int]
    entered: dict[Answer, int]
    boarded: dict[Answer, tuple[int, int]]
    """Action → the pawn and the boat it names."""

    left: dict[Answer, tuple[int, int]]


def _members(verb: str, names: str) -> tuple[Actions, ...]:
    actions = [f"{verb} {name}" for name in names]
    return tuple(
        tuple(action for at, action in enumerate(actions) if members >> at & 1)
        for members in range(1 << len(names))
    )


def _pawns(verb: str, letter: str) -> tuple[Actions, ...]:
    by_kind = [f"{verb} {pawn} {letter}" for pawn in PAWNS]
    most = 3 * OFFICER
    return tuple(
        tuple(
            action for action, there in zip(by_kind, (code % OFFICER, code // OFFICER), strict=True) if there
        )
        for code in range(most)
    )


def _make(seats: int) -> Words:
    letters = COLOURS[:seats] + BLACK
    boats = list(enumerate(letters))
    votes = _members("vote", letters)
    pawns = [(pawn, boat, letter) for boat, letter in boats for pawn in PAWNS]
    return Words(
        letters=letters,
        votes=votes,
        votes_or_hat=tuple((*each, HAT) for each in votes),
        chooses=_members("choose", letters),
        enters=_members("enter", letters),
        boards=tuple(_pawns("board", letter) for letter in letters),
        leaves=tuple(_pawns("leave", letter) for letter in letters),
        voted={f"vote {letter}": boat for boat, letter in boats},
        chosen={f"choose {letter}": boat for boat, letter in boats},
        entered={f"enter {letter}": boat for boat, letter in boats},
        boarded={f"board {pawn} {letter}": (_WORTH[pawn], boat) for pawn, boat, letter in pawns},
        left={f"leave {pawn} {letter}": (_WORTH[pawn], boat) for pawn, boat, letter in pawns},
    )


WORDS = {seats: _make(seats) for seats in range(3, len(COLOURS) + 1)}

LAUNCHES = _members("launch", "".join(map(str, range(1, COLUMNS + 1))))
"""By the set of free columns, bit 0 for column 1."""

LAUNCHED: dict[Answer, int] = {f"launch {column}": column for column in range(1, COLUMNS + 1)}

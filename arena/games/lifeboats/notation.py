"""The actions of Lifeboats as strings, made once: tables by seat count, and by sets of boats or columns."""

from __future__ import annotations

from typing import Final, final

from arena.games.kernel import Action, Answer
from arena.games.lifeboats.state import BLACK, COLOURS, COLUMNS, OFFICER, PAWNS, SAILOR

HAT: Final = "hat"
TALK_ON: Final = "talk on"
END_TALK: Final = "end talk"
STICK: Final = (TALK_ON, END_TALK)

_WORTH: Final = {"s": SAILOR, "o": OFFICER}

Actions = tuple[Action, ...]


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


def _boats(verb: str, letters: str) -> dict[Answer, int]:
    return {f"{verb} {letter}": boat for boat, letter in enumerate(letters)}


def _pawns_and_boats(verb: str, letters: str) -> dict[Answer, tuple[int, int]]:
    return {
        f"{verb} {pawn} {letter}": (_WORTH[pawn], boat)
        for boat, letter in enumerate(letters)
        for pawn in PAWNS
    }


@final
class Words:
    """The actions for one seat count."""

    __slots__ = (
        "boarded",
        "boards",
        "chooses",
        "chosen",
        "entered",
        "enters",
        "leaves",
        "left",
        "letters",
        "voted",
        "votes",
        "votes_or_hat",
    )

    def __init__(self, seats: int) -> None:
        self.letters: Final = COLOURS[:seats] + BLACK
        """Of the boats."""
        self.votes: Final = _members("vote", self.letters)
        """By the set of options."""
        self.votes_or_hat: Final = tuple((*each, HAT) for each in self.votes)
        self.chooses: Final = _members("choose", self.letters)
        self.enters: Final = _members("enter", self.letters)
        self.boards: Final = tuple(_pawns("board", letter) for letter in self.letters)
        """By boat, then by the pawns there are."""
        self.leaves: Final = tuple(_pawns("leave", letter) for letter in self.letters)
        self.voted: Final = _boats("vote", self.letters)
        """Action → the boat or colour it names."""
        self.chosen: Final = _boats("choose", self.letters)
        self.entered: Final = _boats("enter", self.letters)
        self.boarded: Final = _pawns_and_boats("board", self.letters)
        """Action → the pawn and the boat it names."""
        self.left: Final = _pawns_and_boats("leave", self.letters)


WORDS: Final = {seats: Words(seats) for seats in range(3, len(COLOURS) + 1)}

LAUNCHES: Final = _members("launch", "".join(map(str, range(1, COLUMNS + 1))))
"""By the set of free columns, bit 0 for column 1."""

LAUNCHED: Final[dict[Answer, int]] = {f"launch {column}": column for column in range(1, COLUMNS + 1)}

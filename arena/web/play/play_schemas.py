"""The API's models of games that people play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from arena.service.requests import Body
from arena.web.play.game_request import STANDARD_PACE
from arena.web.play.opponents import HouseOpponent
from arena.web.play.same_deal import SameDeal

_LARGEST = 2**31 - 1
_MAX_BYTES = 4096
Word = Annotated[str, Field(max_length=64)]


@dataclass(frozen=True, slots=True)
class PlayableGame:
    """A game and its house bots; `games/ID` has its variants, seats and options."""

    id: Annotated[str, Field(description="The game's id.", examples=["lost_cities"])]
    title: Annotated[str, Field(description="Its name for people.", examples=["Lost Cities"])]
    opponents: Annotated[tuple[HouseOpponent, ...], Field(description="The easiest first.")]


@dataclass(frozen=True, slots=True)
class TimeChoice:
    """A time control for people: a decision may take all that is in the bank."""

    name: Annotated[str, Field(description="Its name in a wish.", examples=["calm"])]
    meaning: Annotated[str, Field(description="What it is, in words.")]
    time: Annotated[str, Field(description="BASE+INC in seconds.", examples=["600+10"])]


@dataclass(frozen=True, slots=True)
class Playable:
    """The games and limits of playing here."""

    games: Annotated[tuple[PlayableGame, ...], Field(description="All games.")]
    times: Annotated[tuple[TimeChoice, ...], Field(description="The standard one first.")]
    places: Annotated[
        int,
        Field(description="How many more games may be opened now; 0 where nobody may play.", examples=[8]),
    ]


class GameCreate(Body):
    """A match against house bots."""

    game: str = Field(max_length=64, description="The game's id.", examples=["lost_cities"])
    opponents: list[Word] = Field(
        max_length=16, description="House bots in seat order, your own seat left out.", examples=[["greedy"]]
    )
    variant: str | None = Field(
        default=None, max_length=64, description="The variant; null: the standard one."
    )
    seat: int | None = Field(
        default=None, ge=0, le=16, description="Your seat, from 0; null: whichever comes up."
    )
    options: dict[Word, Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]] = Field(
        default={}, max_length=16, description="Options of the game.", examples=[{"hands": 1}]
    )
    pace: str = Field(
        default=STANDARD_PACE, max_length=40, description="The name of a time control for people."
    )
    talks: bool = Field(
        default=False, description="Whether you want to be asked to talk, in games that have talk."
    )


@dataclass(frozen=True, slots=True)
class TalkAsked:
    """The limits of a line of talk."""

    max_text_bytes: Annotated[int, Field(description="Bytes of UTF-8, at most.")]
    max_claims: Annotated[int, Field(description="Claims, at most.")]
    kinds: Annotated[tuple[str, ...], Field(description="What a claim's `kind` may be.")]
    votes: Annotated[tuple[str, ...], Field(description="What its `vote` may be.")]
    whens: Annotated[tuple[str, ...], Field(description="What its `when` may be.")]


@dataclass(frozen=True, slots=True)
class GameDecision:
    """A decision that is yours; your clock runs."""

    decision: Annotated[int, Field(description="Its number, to be answered with.", examples=[7])]
    legal: Annotated[
        tuple[str, ...], Field(description="The legal actions in notation; empty where talk is asked for.")
    ]
    talk: Annotated[TalkAsked | None, Field(description="Set where a line is asked for.")]


@dataclass(frozen=True, slots=True)
class GameState:
    """A person's game, as the person may know it."""

    id: Annotated[str, Field(description="Its id.")]
    table: Annotated[str, Field(description="Deprecated: `id` has the same value.", deprecated=True)]
    version: Annotated[int, Field(description="Grows with every change.")]
    phase: Annotated[
        Literal["waiting", "playing", "over", "broken"],
        Field(description="`waiting`: the bots are being brought; `broken`: it ended without result."),
    ]
    trouble: Annotated[str, Field(description="Why it is `broken`; empty if it is not.")]
    game: Annotated[str, Field(description="The game's id.")]
    variant: Annotated[str, Field(description="The variant.")]
    seat: Annotated[int, Field(description="Your seat, from 0.")]
    names: Annotated[tuple[str, ...], Field(description="Who sits there, in seat order; you are `you`.")]
    commitment: Annotated[str, Field(description="To the deal, as in the record; empty before it has begun.")]
    clock_ms: Annotated[
        float, Field(description="What is left on your clock now, for this decision or line.")
    ]
    asked: Annotated[
        GameDecision | None, Field(description="What is asked of you; null while the others decide.")
    ]
    view: Annotated[
        Any, Field(description="The position when you were last asked, as the game's page describes it.")
    ]
    seen: Annotated[
        tuple[dict[str, Any], ...], Field(description="All that your seat has seen, as records have steps.")
    ]
    fresh: Annotated[
        int, Field(description="Where in `seen` begins what the others have done since your last turn.")
    ]
    same_deal: Annotated[
        SameDeal | None,
        Field(
            description="What a house bot made of your seat with the same deal: some seconds after a match without a fault."
        ),
    ]
    result: Annotated[dict[str, Any] | None, Field(description="As in the record, once the match is over.")]


@dataclass(frozen=True, slots=True)
class Opened(GameState):
    """A game that was just opened."""

    player: Annotated[str, Field(description="Your key: show it as `X-Player`. It opens all your games.")]


class ClaimAnswer(Body):
    """A promise, a request or a threat."""

    kind: Word = Field(description="One of `talk.kinds`.", examples=["promise"])
    seat: int = Field(ge=0, le=16, description="Whose vote it is about.")
    vote: Word = Field(description="One of `talk.votes`.", examples=["R"])
    when: Word = Field(description="One of `talk.whens`.", examples=["this"])


class Answer(Body):
    """Your decision: an `action`, or a line of `text` and `claims`."""

    decision: int = Field(ge=0, le=_LARGEST, description="The number of the decision that is asked.")
    action: str | None = Field(
        default=None, max_length=80, description="One of `legal`.", examples=["play R7"]
    )
    text: str = Field(default="", max_length=_MAX_BYTES, description="What you say.")
    claims: list[ClaimAnswer] = Field(default=[], max_length=16, description="What you claim.")

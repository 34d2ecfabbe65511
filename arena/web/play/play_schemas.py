"""The API's models of tables at which people play."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from arena.web.http.response_model import Model
from arena.web.play.game_request import STANDARD_PACE
from arena.web.play.opponents import HouseOpponent
from arena.web.tournaments.tournament_requests import Body

_LARGEST = 2**31 - 1
_MAX_BYTES = 4096
Word = Annotated[str, Field(max_length=64)]


class PlayableGame(Model):
    """A game and its house bots; `games/ID` has its variants, seats and options."""

    id: str = Field(description="The game's id.", examples=["lost_cities"])
    title: str = Field(description="Its name for people.", examples=["Lost Cities"])
    opponents: list[HouseOpponent] = Field(description="The standard one first.")


class TimeChoice(Model):
    """A time control for people: a decision may take all that is in the bank."""

    name: str = Field(description="Its name in a wish.", examples=["calm"])
    meaning: str = Field(description="What it is, in words.")
    time: str = Field(description="BASE+INC in seconds.", examples=["600+10"])


class Playable(Model):
    """What people can play here."""

    games: list[PlayableGame] = Field(description="All games.")
    times: list[TimeChoice] = Field(description="The standard one first.")
    places: int = Field(
        description="How many more tables may be opened now; 0 where nobody may play.", examples=[8]
    )


class GameCreate(Body):
    """A match against house bots."""

    game: str = Field(max_length=64, description="The game's id.", examples=["lost_cities"])
    opponents: list[Word] = Field(
        max_length=16, description="House bots in seat order, your own seat left out.", examples=[["greedy"]]
    )
    variant: str | None = Field(None, max_length=64, description="The variant; null: the standard one.")
    seat: int | None = Field(None, ge=0, le=16, description="Your seat, from 0; null: whichever comes up.")
    options: dict[Word, Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]] = Field(
        {}, max_length=16, description="Options of the game.", examples=[{"hands": 1}]
    )
    pace: str = Field(STANDARD_PACE, max_length=40, description="The name of a time control for people.")
    talks: bool = Field(
        default=False, description="Whether you want to be asked to talk, in games that have talk."
    )


class TalkAsked(Model):
    """What a line may hold."""

    max_text_bytes: int = Field(description="Bytes of UTF-8, at most.")
    max_claims: int = Field(description="Claims, at most.")
    kinds: list[str] = Field(description="What a claim's `kind` may be.")
    votes: list[str] = Field(description="What its `vote` may be.")
    whens: list[str] = Field(description="What its `when` may be.")


class GameDecision(Model):
    """A decision that is yours; your clock runs."""

    decision: int = Field(description="Its number, to be answered with.", examples=[7])
    legal: list[str] = Field(description="The legal actions in notation; empty where talk is asked for.")
    talk: TalkAsked | None = Field(description="Set where a line is asked for.")


class GameState(Model):
    """A table, as its person may know it."""

    table: str = Field(description="Its id.")
    version: int = Field(description="Grows with every change.")
    phase: Literal["waiting", "playing", "over", "broken"] = Field(
        description="`waiting`: the bots are being brought; `broken`: it ended without result."
    )
    trouble: str = Field(description="Why it is `broken`; empty if it is not.")
    game: str = Field(description="The game's id.")
    variant: str = Field(description="The variant.")
    seat: int = Field(description="Your seat, from 0.")
    names: list[str] = Field(description="Who sits there, in seat order; you are `you`.")
    commitment: str = Field(description="To the deal, as in the record; empty before it has begun.")
    clock_ms: float = Field(description="What is left on your clock now, for this decision or line.")
    asked: GameDecision | None = Field(description="What is asked of you; null while the others decide.")
    view: Any = Field(description="The position when you were last asked, as the game's page describes it.")
    seen: list[dict[str, Any]] = Field(description="All that your seat has seen, as records have steps.")
    fresh: int = Field(description="Where in `seen` begins what the others have done since your last turn.")
    result: dict[str, Any] | None = Field(description="As in the record, once the match is over.")


class Opened(GameState):
    """A table that was just opened."""

    player: str = Field(description="Your key: show it as `X-Player`. It opens all your tables.")


class ClaimAnswer(Body):
    """A promise, a request or a threat."""

    kind: Word = Field(description="One of `talk.kinds`.", examples=["promise"])
    seat: int = Field(ge=0, le=16, description="Whose vote it is about.")
    vote: Word = Field(description="One of `talk.votes`.", examples=["R"])
    when: Word = Field(description="One of `talk.whens`.", examples=["this"])


class Answer(Body):
    """What you decide: an `action`, or a line of `text` and `claims`."""

    decision: int = Field(ge=0, le=_LARGEST, description="The number of the decision that is asked.")
    action: str | None = Field(None, max_length=80, description="One of `legal`.", examples=["play R7"])
    text: str = Field("", max_length=_MAX_BYTES, description="What you say.")
    claims: list[ClaimAnswer] = Field([], max_length=16, description="What you claim.")

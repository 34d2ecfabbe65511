"""Requests of many fields, as the API reads them; a field that is not known is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from arena.competition.corrections import Correction
from arena.competition.drafts import STANDARD_PRIORITY, Begin, TournamentSpec
from arena.competition.qualification import comparisons
from arena.match.clock import STANDARD, parse_time_control
from arena.scheduling import stop_rules
from arena.scheduling.formats.format_registry import OFFERED, PARAMETERS, STANDARD_FORMAT
from arena.scheduling.formats.tournament_format import CYCLES

_LARGEST = 2**31 - 1
_MAX_BOTS = 1000
_MAX_ELO = 2000
BotName = Annotated[str, Field(max_length=200)]
OneBot = Annotated[str, Field(max_length=80, description="The bot's name.", examples=["my-bot"])]
Options = dict[str, Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]]
VersionNumber = Annotated[str, Field(min_length=1, max_length=80)]


class Body(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid")


_Asked = TypeVar("_Asked", bound=Body)


def _with_parameters(model: type[_Asked]) -> type[_Asked]:
    """Return a model with a field for each parameter of the formats."""
    fields: dict[str, Any] = {
        each.name: (
            int | None,
            Field(None, ge=1, le=_LARGEST, description=f"{each.meaning}; null: {each.usual}."),
        )
        for each in PARAMETERS
    }
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, **fields)


@_with_parameters
class TournamentCreate(Body):
    """A tournament to create."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"game": "lost_cities", "bots": ["greedy", "random", "rusher"], "cycles": 5}]
        }
    )
    if TYPE_CHECKING:  # made by the decorator, which type checkers cannot follow
        sets_each: int | None = None
        rounds: int | None = None
        sets: int | None = None
        error: int | None = None

    game: str = Field(max_length=64, description="The game's id.", examples=["lost_cities"])
    bots: list[BotName] = Field(
        default=[],
        max_length=_MAX_BOTS,
        description="NAME, or NAME@VERSION; in the order of their strength, where the format seeds.",
        examples=[["greedy", "random"]],
    )
    variant: str | None = Field(
        default=None, max_length=64, description="The variant; null: the standard one."
    )
    seats: int | None = Field(
        default=None, ge=1, le=_LARGEST, description="Seats at a table; null: the fewest."
    )
    options: Options = Field(default={}, description="Options of the game.", examples=[{"hands": 1}])
    time: str = Field(default=str(STANDARD), max_length=40, description="Time control, BASE+INC in seconds.")
    format: str = Field(
        default=STANDARD_FORMAT, max_length=32, description=f"{', '.join(OFFERED[:-1])} or {OFFERED[-1]}."
    )
    cycles: int = Field(
        default=1,
        ge=1,
        le=_LARGEST,
        description=f"{CYCLES.meaning}.",
    )
    stop: str | None = Field(
        default=None,
        max_length=100,
        description="When to stop: `separated:K`, or `sprt:ELO0,ELO1[,ALPHA,BETA]` of two versions.",
        examples=["separated:3"],
    )
    priority: int = Field(
        default=STANDARD_PRIORITY, description="1 to 100; with twice the priority it is played twice as much."
    )
    delay_s: int = Field(
        default=0,
        description="Seconds after a match, or the set that shares its deal, is over before its records and seeds are shown;"
        " 0 to 2592000 (30 days).",
    )
    begin: Begin = Field(
        default="now",
        description="now; open: for entries until it is started; created: to be opened or started later.",
    )
    trusted: bool = Field(
        default=False,
        description="Whether the bots are trusted not to use what they know of a deal: then all sets share theirs.",
    )
    rated: bool = Field(
        default=True,
        description="Whether it counts for the public Elo, if its options and time are those of the pool.",
    )
    name: str | None = Field(
        default=None, max_length=200, description="What it is called; null: made from the rest."
    )
    description: str = Field(default="", max_length=2000, description="What it is about, shown on its page.")

    def spec(self) -> TournamentSpec:
        """Return the specification of the tournament.  Raises UsageError for an invalid time or stop rule."""
        return TournamentSpec(
            game=self.game,
            bots=tuple(self.bots),
            variant=self.variant,
            seats=self.seats,
            options=self.options,
            time=parse_time_control(self.time),
            cycles=self.cycles,
            trusted=self.trusted,
            name=self.name,
            description=self.description.strip(),
            format=self.format,
            given={each.name: getattr(self, each.name) for each in PARAMETERS},
            stop=None if self.stop is None else stop_rules.parse(self.stop),
            priority=self.priority,
            delay_s=self.delay_s,
            rated=self.rated,
            begin=self.begin,
        )


class TournamentChange(Body):
    """A change of a tournament: what is left out, or null, stays as it is."""

    name: str | None = Field(
        default=None, max_length=200, description="What it is called.", examples=["Autumn cup"]
    )
    description: str | None = Field(default=None, max_length=2000, description="What it is about.")
    priority: int | None = Field(default=None, description="1 to 100.", examples=[20])
    options: Options | None = Field(
        default=None,
        description="Options of the game; those left out are the standard.",
        examples=[{"hands": 1}],
    )
    time: str | None = Field(default=None, max_length=40, description="Time control, BASE+INC in seconds.")
    delay_s: int | None = Field(
        default=None, description="Seconds after which records and seeds are shown, as when it is created."
    )
    rated: bool | None = Field(default=None, description="Whether it counts for the public Elo.")

    def correction(self) -> Correction:
        """Return the change.  Raises UsageError for an invalid time."""
        return Correction(
            name=self.name,
            description=self.description,
            priority=self.priority,
            options=self.options,
            time=None if self.time is None else parse_time_control(self.time),
            delay_s=self.delay_s,
            rated=self.rated,
        )


@dataclass(frozen=True, slots=True)
class Addition:
    """A bot that runs elsewhere."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: OneBot
    source: Annotated[
        Literal["dial_in", "endpoint"], Field(description="Whether it connects, or is connected to.")
    ]
    address: Annotated[
        str | None,
        Field(max_length=300, description="Where an endpoint listens.", examples=["bots.example.org:7001"]),
    ] = None
    secret: Annotated[str | None, Field(max_length=300, description="What is presented to an endpoint.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The versions that are to be compared, and what the test (SPRT) decides between."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    first: Annotated[VersionNumber, Field(description="The version that may be stronger.", examples=["6"])]
    second: Annotated[VersionNumber, Field(description="The version it is compared with.", examples=["5"])]
    elo0: Annotated[
        float,
        Field(ge=-_MAX_ELO, le=_MAX_ELO, description="Its claim that the first is so much stronger, or"),
    ] = 0.0
    elo1: Annotated[float, Field(ge=-_MAX_ELO, le=_MAX_ELO, description="so much; greater than elo0.")] = (
        comparisons.STANDARD_ELO1
    )
    sets: Annotated[
        int,
        Field(ge=1, le=comparisons.MAX_SETS, description="The most sets that are played; 16 or more."),
    ] = comparisons.MAX_SETS

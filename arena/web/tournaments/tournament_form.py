"""The form of a new tournament: what it can offer for a game, and what was asked for in it.

A browser sends all fields, those too that its reader does not see since they are of another format: they are left aside here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.bot_registry import bots
from arena.competition.drafts import STANDARD_PRIORITY
from arena.competition.pools import LISTED_TIMES
from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.games.kernel import Option
from arena.games.registry import AnyGame
from arena.match.clock import STANDARD as STANDARD_TIME
from arena.rankings import public_ratings
from arena.scheduling.formats.format_registry import FORMATS, OFFERED, PARAMETERS, STANDARD_FORMAT, format_of
from arena.scheduling.formats.tournament_format import CYCLES, Format, Parameter
from arena.service.requests import TournamentCreate

if TYPE_CHECKING:
    from arena.storage import Store

TIMES = tuple(map(str, LISTED_TIMES))
OPTION = "option_"
"""The prefix of the fields of the game's options."""

_MAX_SHOWN_CHARS = 40
"""Characters of an invalid value that an error quotes."""
_FIELD_OF_MESSAGE = re.compile(r"(?:option )?'?([a-z_]+)")
_STANDARD: Mapping[str, str] = {
    "format": STANDARD_FORMAT,
    "cycles": "1",
    "stop": "none",
    "top": "1",
    "elo0": "0",
    "elo1": "10",
    "time": str(STANDARD_TIME),
    "begin": "now",
    "priority": str(STANDARD_PRIORITY),
    "delay_s": "0",
    "rated": "yes",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that can be entered, with its place in the public Elo table if it has one."""

    name: str
    version: str
    owner: str | None
    source: str
    elo: float | None
    error: float | None
    tables: str
    """The tables that it plays, in words; empty for all tables of the game."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A parsed form: the request, or the errors by field; `""` is for those of no field."""

    wish: TournamentCreate | None
    errors: Mapping[str, str]


class TournamentForm(BaseModel):
    """The form as a browser sends it: the text of each field.

    Parameters of formats, options of the game and ticks have no field here: they are kept under the names that they were sent by.
    """

    model_config = ConfigDict(extra="allow")
    game: str = Field("", max_length=64)
    do: str = ""
    table: str = ""
    bot: list[str] = []
    """The names that are ticked."""
    named: str = ""
    first: str = ""
    format: str = STANDARD_FORMAT

    @classmethod
    def usual(cls, game: AnyGame) -> TournamentForm:
        """Return the form that nothing was changed in."""
        return cls.model_validate({"game": game.id, **_STANDARD})

    @property
    def texts(self) -> dict[str, str]:
        """The values as sent, by field."""
        sent = self.model_dump(exclude_unset=True, exclude={"bot"})
        return {name: str(value).strip() for name, value in sent.items() if name != "csrf"}


def formats(game: AnyGame) -> tuple[type[Format], ...]:
    """List the formats that at least one table of a game can be played in."""
    seats = {count for _, _, count in tables(game)}
    return tuple(FORMATS[name] for name in OFFERED if not FORMATS[name].is_for_two_seats or 2 in seats)


def parameters(game: AnyGame) -> tuple[tuple[Parameter, str], ...]:
    """List what can be chosen for the formats of a game, each with CSS classes of their places in the list of formats."""
    offered = tuple(enumerate(formats(game), 1))
    found = dict.fromkeys(each for _, form in offered for each in form.parameters)
    return tuple(
        (
            each,
            " ".join(["of-format", *(f"of-{place}" for place, form in offered if each in form.parameters)]),
        )
        for each in found
    )


def tables(game: AnyGame) -> tuple[tuple[str, str, int], ...]:
    """List the variants of a game with their seat counts, as `variant/seats`, variant and seats; the standard one first."""
    return tuple(
        (f"{variant}/{seats}", variant, seats)
        for variant, counts in game.variants.items()
        for seats in counts
    )


def options(game: AnyGame) -> tuple[tuple[Option, str], ...]:
    """List all options that a game has at any table, with their standard values in words: `3`, or `3 to 5`."""
    found: dict[str, list[Option]] = {}
    for _, variant, seats in tables(game):
        for option in game.options(variant, seats):
            found.setdefault(option.name, []).append(option)
    return tuple((_whole(each), _standards(each)) for each in found.values())


def candidates(store: Store, game: AnyGame) -> tuple[Candidate, ...]:
    """List the versions that can be entered, the strongest in the standard pool first: so a knockout is seeded well."""
    rated = {(row.bot, row.version): row for row in public_ratings.table(store, game.id).rows}
    found = [
        Candidate(
            row.bot,
            row.version,
            row.owner,
            row.source,
            *_elo(rated.get((row.bot, row.version))),
            "" if row.tables.counts is None else row.tables.words(game.id),
        )
        for row in bots.listing(store, game.id)
        if row.state == bots.ACTIVE
    ]
    return tuple(sorted(found, key=lambda row: (row.elo is None, -(row.elo or 0.0), row.name)))


def read(game: AnyGame, form: TournamentForm, known: tuple[Candidate, ...]) -> Asked:
    """Read a form that was sent for a game."""
    texts, chosen = form.texts, format_of(form.format)
    try:
        _, variant, seats = _table(game, form.table)
        stop = None if chosen.adapts else _stop(texts)
        wish = TournamentCreate.model_validate(
            {
                **{name: texts.get(name, "") for name in ("time", "priority", "delay_s", "begin")},
                **{each.name: text for each in chosen.parameters if (text := texts.get(each.name))},
                "game": game.id,
                "variant": variant,
                "seats": seats,
                "options": {
                    option.name: text
                    for option, _ in options(game)
                    if (text := texts.get(OPTION + option.name))
                },
                "bots": _bots(form, known, first=chosen.has_leader or (stop or "").startswith("sprt")),
                "format": form.format,
                "stop": stop,
                "trusted": "trusted" in texts,
                "rated": "rated" in texts,
                "name": texts.get("name") or None,
            }
        )
        wish.spec()
    except ValidationError as error:
        return Asked(None, _beside(error))
    except UsageError as error:
        return Asked(None, place(error, game))
    return Asked(wish, {})


def place(error: UsageError, game: AnyGame) -> dict[str, str]:
    """Return the form's field that an error of the services belongs to."""
    message = str(error)
    field = error.field if isinstance(error, Refusal) else ""
    if not field:
        found = _FIELD_OF_MESSAGE.match(message)
        field = found[1] if found else ""
    if field in {option.name for option, _ in options(game)}:
        return {OPTION + field: message}
    field = {"variant": "table", "seats": "table", "bot": "bots"}.get(field, field)
    known = {"table", "bots", "format", "time", "stop", "priority", "delay_s", "begin", "name"}
    known |= {CYCLES.name, *(each.name for each in PARAMETERS)}
    return {field if field in known else "": message}


def _whole(each: list[Option]) -> Option:
    return Option(
        each[0].name,
        min(option.low for option in each),
        max(option.high for option in each),
        each[0].standard,
        each[0].meaning,
    )


def _standards(each: list[Option]) -> str:
    standards = sorted({option.standard for option in each})
    return str(standards[0]) if len(standards) == 1 else f"{standards[0]}–{standards[-1]}"


def _elo(row: object) -> tuple[float | None, float | None]:
    return getattr(row, "elo", None), getattr(row, "error", None)


def _beside(error: ValidationError) -> dict[str, str]:
    """Return, by field of the form, what is wrong with it."""
    found: dict[str, str] = {}
    for each in error.errors():
        field, name = str(each["loc"][0]), str(each["loc"][0])
        if field == "options":
            name = str(each["loc"][1])
            field = OPTION + name
        text = str(each["input"])[:_MAX_SHOWN_CHARS]
        if each["type"].startswith("int_"):
            found[field] = say("{name} {text!r}: must be a whole number", name=name, text=text)
        else:
            found[field] = f"{name} {text!r}: {each['msg']}"
    return found


def _table(game: AnyGame, chosen: str) -> tuple[str, str, int]:
    for each in tables(game):
        if each[0] == chosen:
            return each
    raise Refusal(
        "table_invalid",
        say("table {text!r}: choose one from the list", text=chosen[:_MAX_SHOWN_CHARS]),
        field="table",
    )


def _stop(texts: Mapping[str, str]) -> str | None:
    rule = texts.get("stop", "none")
    if rule == "separated":
        return f"separated:{texts.get('top', '')}"
    if rule == "sprt":
        return f"sprt:{texts.get('elo0', '')},{texts.get('elo1', '')}"
    if rule != "none":
        raise Refusal(
            "stop_invalid",
            say("stop {text!r}: must be none, separated or sprt", text=rule[:_MAX_SHOWN_CHARS]),
            field="stop",
        )
    return None


def _bots(form: TournamentForm, known: tuple[Candidate, ...], *, first: bool) -> list[str]:
    """Name the bots: those that are written by name in their order, then those that are ticked, the strongest first."""
    named = [name for name in re.split(r"[\s,]+", form.named) if name]
    ticked = set(form.bot) - set(named)
    chosen = named + [row.name for row in known if row.name in ticked]
    if first and form.first in chosen:
        chosen.remove(form.first)
        chosen.insert(0, form.first)
    return chosen

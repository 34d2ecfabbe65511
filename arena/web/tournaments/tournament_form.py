"""The form of a new tournament: what it can offer for a game, and what was asked for in it.

A browser sends all fields, those too that its reader does not see since they are of another format: they are left aside here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from pydantic import ValidationError
from starlette.datastructures import FormData

from arena.bot_registry import bots
from arena.competition.drafts import STANDARD_PRIORITY, Begin
from arena.competition.pools import LISTED_TIMES
from arena.core.errors import Refusal, UsageError
from arena.games.kernel import Option
from arena.games.registry import AnyGame
from arena.match.clock import STANDARD as STANDARD_TIME
from arena.rankings import public_ratings
from arena.scheduling.formats.format_registry import FORMATS, OFFERED, PARAMETERS, STANDARD_FORMAT, format_of
from arena.scheduling.formats.tournament_format import CYCLES, Format, Parameter
from arena.web.tournaments.tournament_requests import TournamentCreate

if TYPE_CHECKING:
    from arena.storage import Store

TIMES = tuple(map(str, LISTED_TIMES))
OPTION = "option_"
"""What the names of the fields of the game's options begin with."""

_NUMBER = re.compile(r"-?[0-9]{1,9}")
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


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: the wish, or what is wrong in it by field; `""` is for what belongs to no field."""

    wish: TournamentCreate | None
    errors: Mapping[str, str]


class Wrong(Exception):  # noqa: N818 - it reads as a sentence
    """Raised when a field cannot be read."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


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
        Candidate(row.bot, row.version, row.owner, row.source, *_elo(rated.get((row.bot, row.version))))
        for row in bots.listing(store, game.id)
        if row.state == bots.ACTIVE
    ]
    return tuple(sorted(found, key=lambda row: (row.elo is None, -(row.elo or 0.0), row.name)))


def values_of(form: FormData | Mapping[str, str]) -> dict[str, str]:
    """Return what stands in the fields: what was sent, or else what is usual."""
    sent = {name: str(value) for name, value in form.items() if name not in {"bot", "csrf"}}
    if not sent or set(sent) == {"game"}:
        return {**_STANDARD, **sent}
    return sent


def read(game: AnyGame, form: FormData, known: tuple[Candidate, ...]) -> Asked:
    """Read a form that was sent for a game."""
    values = values_of(form)
    try:
        _, variant, seats = _table(game, values)
        form_of_play = format_of(values.get("format", STANDARD_FORMAT))
        stop = None if form_of_play.adapts else _stop(values)
        numbers = {
            each.name: _number(values, each.name)
            for each in form_of_play.parameters
            if values.get(each.name, "").strip()
        }
        wish = TournamentCreate(
            game=game.id,
            variant=variant,
            seats=seats,
            options=dict(_options(game, values)),
            bots=list(_bots(form, known, first=form_of_play.has_leader or (stop or "").startswith("sprt"))),
            time=values.get("time", "").strip(),
            format=values.get("format", STANDARD_FORMAT),
            **numbers,
            stop=stop,
            priority=_number(values, "priority"),
            delay_s=_number(values, "delay_s"),
            begin=_begin(values),
            trusted="trusted" in values,
            rated="rated" in values,
            name=values.get("name", "").strip() or None,
        )
        wish.spec()
    except Wrong as error:
        return Asked(None, {error.field: str(error)})
    except ValidationError as error:
        return Asked(
            None, {str(each["loc"][0]): f"{each['loc'][0]}: {each['msg']}" for each in error.errors()}
        )
    except UsageError as error:
        return Asked(None, place(error, game))
    return Asked(wish, {})


def place(error: UsageError, game: AnyGame) -> dict[str, str]:
    """Say beside which field an error of the services belongs."""
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


def _table(game: AnyGame, values: Mapping[str, str]) -> tuple[str, str, int]:
    for each in tables(game):
        if each[0] == values.get("table"):
            return each
    raise Wrong("table", f"table {values.get('table', '')[:40]!r}: choose one of the list")


def _number(values: Mapping[str, str], name: str) -> int:
    text = values.get(name, "").strip()
    if not _NUMBER.fullmatch(text):
        raise Wrong(name, f"{name} {text[:40]!r}: must be a whole number")
    return int(text)


def _options(game: AnyGame, values: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for option, _ in options(game):
        field = OPTION + option.name
        if values.get(field, "").strip():
            try:
                yield option.name, _number(values, field)
            except Wrong:
                text = values[field].strip()[:40]
                raise Wrong(field, f"{option.name} {text!r}: must be a whole number") from None


def _stop(values: Mapping[str, str]) -> str | None:
    rule = values.get("stop", "none")
    if rule == "separated":
        return f"separated:{values.get('top', '').strip()}"
    if rule == "sprt":
        return f"sprt:{values.get('elo0', '').strip()},{values.get('elo1', '').strip()}"
    if rule != "none":
        raise Wrong("stop", f"stop {rule[:40]!r}: must be none, separated or sprt")
    return None


def _begin(values: Mapping[str, str]) -> Begin:
    for begin in get_args(Begin):
        if values.get("begin") == begin:
            return begin  # type: ignore[no-any-return]  # one of Begin
    raise Wrong("begin", f"begin {values.get('begin', '')[:40]!r}: must be {', '.join(get_args(Begin))}")


def _bots(form: FormData, known: tuple[Candidate, ...], *, first: bool) -> Iterator[str]:
    """Name the bots: those that are written by name in their order, then those that are ticked, the strongest first."""
    named = [name for name in re.split(r"[\s,]+", str(form.get("named", ""))) if name]
    ticked = {str(name) for name in form.getlist("bot")}
    chosen = named + [row.name for row in known if row.name in ticked and row.name not in named]
    leader = str(form.get("first", ""))
    if first and leader in chosen:
        chosen.remove(leader)
        chosen.insert(0, leader)
    yield from chosen

"""The formats of this arena.  No list names them: each module of this folder that has one calls its class `FORMAT`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.scheduling.formats.tournament_format import CYCLES, Format, Parameter, wrong
from arena.scheduling.stop_rules import StopRule, stop_from_json

STANDARD_FORMAT = "round-robin"
"""Format of a tournament that names none.  Digests for seeds leave it out, so it must not change."""


def _found() -> Iterator[type[Format]]:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        found = getattr(import_module(f"{__package__}.{module.name}"), "FORMAT", None)
        if found is not None:
            yield found


FORMATS: Mapping[str, type[Format]] = {
    each.name: each for each in sorted(_found(), key=lambda each: (each.position, each.name))
}
"""By name, in the order of lists."""

OFFERED = tuple(name for name, each in FORMATS.items() if not each.is_standing)
"""Formats that organisers can choose."""

PARAMETERS: tuple[Parameter, ...] = tuple(
    {each.name: each for name in OFFERED for each in FORMATS[name].parameters if each is not CYCLES}.values()
)
"""Parameters that organisers can choose besides cycles, a stop rule and the format itself."""


def format_of(name: str) -> type[Format]:
    """Return the format of a tournament; that of a trial, which has a name of its own, is the round-robin."""
    return FORMATS.get(name, FORMATS[STANDARD_FORMAT])


def make_format(
    name: str = STANDARD_FORMAT, cycles: int = 1, stop: StopRule | None = None, **given: int | None
) -> Format:
    """Return a format with its parameters; None means the usual.  Raises Refusal for an unknown name."""
    if name not in FORMATS:
        raise wrong("format", f"{name!r}: must be one of {', '.join(OFFERED)}")
    return FORMATS[name](cycles, stop, {each: value for each, value in given.items() if value is not None})


def format_from_json(name: str, cycles: int, given: Mapping[str, Any]) -> Format:
    """Read what `Format.to_json` gave.  Raises UsageError for a stop rule that cannot be."""
    stop = given.get("stop")
    own = {each: value for each, value in given.items() if each != "stop"}
    return format_of(name)(cycles, None if stop is None else stop_from_json(stop), own)


def check_format(form: Format, seats: int) -> None:
    """Check that all of a format can be, and that an organiser may choose it.  Raises Refusal naming the field."""
    if form.name not in OFFERED:
        raise wrong("format", f"{form.name!r}: must be one of {', '.join(OFFERED)}")
    form.check(seats)
    own = {each.name for each in form.parameters}
    for name, value in form.given.items():
        if name not in own:
            raise wrong(name, f"{value}: only a {_owners(name)} has them, not a {form.name}")


def _owners(parameter: str) -> str:
    """Return the formats that have a parameter: `swiss`."""
    return " or a ".join(
        name for name in OFFERED if parameter in {each.name for each in FORMATS[name].parameters}
    )

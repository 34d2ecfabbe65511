"""Formats of each language: numbers, times, counts, and texts that are made in Python.

Babel knows each language's decimal point and dates.  Its whole number formats are not used: they take 30 µs a number, of which a
page has hundreds, and thousands are parted by thin spaces in all languages, as the SI has it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from babel.dates import format_date, format_datetime
from babel.numbers import get_decimal_symbol
from markupsafe import Markup

from arena.core.translatable import Wording
from arena.web.ui.template_filters import count


class Writing:
    """The filters of one language's templates."""

    def __init__(self, language: str, translations: NullTranslations) -> None:
        self._language = language
        self._translations = translations
        self._point = get_decimal_symbol(language)

    def filters(self) -> dict[str, Callable[..., Any]]:
        """Return them by the names under which templates call them."""
        written = (
            self.decimal,
            self.milliseconds,
            self.minus,
            self.percent,
            self.plural,
            self.score,
            self.tell,
            self.day,
            self.when,
            self.ordinal,
        )
        return {method.__name__: method for method in written}

    def tell(self, text: str) -> str:
        """Translate a text that was made in Python: a Wording, or a word that is marked."""
        if not isinstance(text, Wording):
            return self._translations.gettext(text) if text else ""
        values = {
            name: self.tell(value) if isinstance(value, Wording) else value
            for name, value in text.values.items()
        }
        if text.many is not None:
            return self._translations.ngettext(text.message, text.many, text.number).format(**values)
        return self._translations.gettext(text.message).format(**values)

    def plural(self, number: int, one: str, many: str | None = None) -> str:
        """Write a count and its noun: 1 match, 2 matches."""
        return f"{count(number)} {self._translations.ngettext(one, many or one + 's', number)}"

    def ordinal(self, place: int) -> str:
        """Write a place: 2nd, or 2.º in Spanish."""
        if self._language == "es":
            return f"{place}.º"
        ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
        return f"{place}{'th' if 10 < place % 100 < 14 else ending}"

    def decimal(self, number: float, digits: int) -> str:
        """Write a number with a fixed number of digits after the point and a real minus sign: 12.50, or 12,50 in Spanish."""
        return self._pointed(f"{'−' if number < 0 else ''}{abs(number):.{digits}f}")

    def minus(self, number: float) -> str:
        """Write a number with as many digits as it has, minus as a minus."""
        return self._pointed(f"{'−' if number < 0 else ''}{abs(number):g}")

    def score(self, points: float) -> str:
        """Write points, halves as ½: 12.5 → 12½, other fractions with two digits."""
        whole, part = divmod(abs(points), 1)
        sign = "−" if points < 0 else ""
        if abs(part - 0.5) < 1e-9:
            return f"{sign}{int(whole) or ''}½"
        return f"{sign}{int(whole)}" if part < 1e-9 else self.decimal(points, 2)

    def percent(self, share: float) -> str:
        """Write a share, 0 to 1, with one digit: 51.8 %."""
        return f"{self.decimal(100 * share, 1)} %"

    def milliseconds(self, ms: float) -> str:
        """Write how long something took: 0.4 ms, 12 ms, 1.5 s."""
        if ms >= 1000:
            return f"{self.decimal(ms / 1000, 1)} s"
        return f"{self.decimal(ms, 0 if ms >= 10 else 1)} ms"

    def day(self, day: date) -> str:
        """Write a day: 25 Nov 2026, or 25 nov 2026 in Spanish."""
        return format_date(day, "d MMM y", locale=self._language)

    def when(self, at: datetime | float | None) -> Markup:
        """Write a time in UTC, readable for machines too."""
        if at is None:
            return Markup("–")
        return _when(at if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC), self._language)

    def _pointed(self, written: str) -> str:
        return written.replace(".", self._point)


@lru_cache(maxsize=1024)
def _when(moment: datetime, language: str) -> Markup:
    shown = format_datetime(moment, "d MMM y, HH:mm", locale=language)
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(timespec="seconds"), shown)

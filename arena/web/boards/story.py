"""A public account of a match: the sentences and the score sheet of each point.

state after each point, steps ──▶ sentences, score sheet      the same in a replay and at a live table
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.translatable import Wording, say
from arena.games import registry
from arena.games.kernel import Said, Step
from arena.games.narrating import Happening, Moment, ScoreSheet
from arena.web.boards.decorations import decorate


class Story:
    """The account of one match.  Mutable.  A game without a mask has none."""

    def __init__(self, game: str, names: Sequence[str], you: int | None = None) -> None:
        """Begin a story; `names` are those of the seats, in their order, and `you` is that of the person who reads it."""
        self._you = you
        self._package = registry.package(game)
        self._names = tuple(names)
        self._view: Any = None
        self._past: list[Moment] = []
        self._said: tuple[Said, ...] = ()
        self.sheet: ScoreSheet | None = None
        """The score sheet of the part that ended at the last point, if one ended."""

    def tell(self, state: Any, steps: Sequence[Step]) -> tuple[str, ...]:  # noqa: ANN401 - each game has its own state
        """Return what came of the next point, given the state after it and its steps with everything open."""
        package, game = self._package, self._package.game.id
        self.sheet = None
        happening = self.happen(state, steps)
        if happening is None:
            return ()
        self.sheet = decorate(game, "a score sheet", None, lambda: package.draw_up(happening))
        none: tuple[str, ...] = ()
        told = decorate(game, "a narration", none, lambda: tuple(package.narrate(happening)))
        return told if self._you is None else tuple(map(self._address, told))

    def _address(self, sentence: str) -> str:
        """Say a sentence about the person's seat to the person."""
        if not isinstance(sentence, Wording) or sentence.values.get("name") != self._names[self._you or 0]:
            return sentence
        yours = self._package.phrases.addressed.get(sentence.message)
        return sentence if yours is None else say(yours, **sentence.values)

    def happen(self, state: Any, steps: Sequence[Step]) -> Happening | None:  # noqa: ANN401 - each game has its own state
        """Return the public account of the next point; None for the first one, and for a game without a mask."""
        package, before = self._package, self._view
        if package.drawing is None:
            return None
        seats = range(len(self._names))
        self._view = package.drawing.mask([package.game.view(state, seat) for seat in seats]).view
        public = [package.game.seen(step, None) for step in steps]
        seen = tuple([step for step in public if step is not None])
        lines = tuple([step for step in seen if isinstance(step, Said)])
        happening = None
        if before is not None:
            happening = Happening(
                before=before,
                after=self._view,
                steps=seen,
                said=(*self._said, *lines),
                names=self._names,
                past=self._past,
            )
            self._past.append(Moment(before, seen))
        self._said = (*self._said, *lines) if lines else ()
        return happening

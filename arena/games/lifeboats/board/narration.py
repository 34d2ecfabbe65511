"""Lifeboats: what a vote decided, who landed or drowned, and which promises were kept."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.kernel import Played, Said
from arena.games.lifeboats.board.phrases import PHRASES
from arena.games.lifeboats.score import OFFICER_POINTS, SAILOR_POINTS
from arena.games.lifeboats.view import LifeboatsBoat, LifeboatsSeat, LifeboatsView
from arena.games.narrating import Happening, ScoreSheet, SheetRow


def narrate(happening: Happening) -> list[str]:
    """Return which promises the votes kept or broke, and what became of the boats and their crews."""
    before: LifeboatsView = happening.before
    after: LifeboatsView = happening.after
    told = _promises(happening)
    for old, new in zip(before.boats, after.boats, strict=True):
        told += _boat(old, new, happening)
    return told + _drowned(happening)


def draw_up(happening: Happening) -> ScoreSheet | None:
    """Return the sheet of a boat that landed, or, at the end of the voyage, of all who are safe."""
    before: LifeboatsView = happening.before
    after: LifeboatsView = happening.after
    if after.stage == "over" and before.stage != "over":
        return _end_of_voyage(happening)
    for old, new in zip(before.boats, after.boats, strict=True):
        if old.at_sea and new.landed:
            rows = tuple(
                SheetRow(
                    seat,
                    name,
                    (
                        sum(has.saved_sailors) - sum(was.saved_sailors),
                        sum(has.saved_officers) - sum(was.saved_officers),
                        has.score - was.score,
                        has.score,
                    ),
                )
                for seat, (name, was, has) in enumerate(
                    zip(happening.names, before.seats, after.seats, strict=True)
                )
            )
            heads = (say("Sailors"), say("Officers"), say("Points"), say("Total"))
            return ScoreSheet(say("The {boat} boat lands", boat=PHRASES.name(new.letter)), heads, rows)
    return None


def _end_of_voyage(happening: Happening) -> ScoreSheet:
    rows = tuple(
        SheetRow(seat, name, (*(_island(own, island) for island in range(3)), own.score))
        for seat, (name, own) in enumerate(zip(happening.names, happening.after.seats, strict=True))
    )
    heads = (say("Left island"), say("Middle island"), say("Right island"), say("Score"))
    return ScoreSheet(say("The end of the voyage"), heads, rows)


def _island(seat: LifeboatsSeat, island: int) -> str:
    """Write how many of a seat's pawns are safe on an island, and what each is worth: `2 × 6 + 1 × 8`."""
    counted = (
        (seat.saved_sailors[island], SAILOR_POINTS[island]),
        (seat.saved_officers[island], OFFICER_POINTS[island]),
    )
    return " + ".join(f"{count} × {points}" for count, points in counted if count) or "–"


def _promises(happening: Happening) -> list[str]:
    """Compare the votes with the last promise that each seat made about this vote, in any earlier talk; a hat breaks it."""
    told: list[str] = []
    spoken = _since_last_vote(happening)
    for step in happening.steps:
        if not isinstance(step, Played) or step.action.split()[0] not in {"vote", "hat"}:
            continue
        voted = step.action.partition(" ")[2]
        promised = [
            claim.vote
            for said, vote in spoken
            if said.seat == step.seat
            for claim in said.line.claims
            if claim.kind == "promise"
            and claim.seat == step.seat
            and (vote if claim.when == "this" else claim.when) == happening.before.vote
        ]
        if not promised:
            continue
        name, boat = happening.names[step.seat], PHRASES.name(promised[-1])
        if promised[-1] == voted:
            told.append(say("✓ {name} keeps the promise to vote for {boat}.", name=name, boat=boat))
        else:
            told.append(say("✗ {name} breaks the promise to vote for {boat}.", name=name, boat=boat))
    return told


def _since_last_vote(happening: Happening) -> list[tuple[Said, str]]:
    """List what was said since the last vote of this kind, each line with the vote that it was said before."""
    kind = happening.before.vote
    spoken: list[tuple[Said, str]] = [(said, kind) for said in reversed(happening.said)]
    for moment in reversed(happening.past):
        if moment.before.vote == kind and any(
            isinstance(step, Played) and step.action.split()[0] in {"vote", "hat"} for step in moment.steps
        ):
            break
        spoken += [(step, moment.before.vote) for step in reversed(moment.steps) if isinstance(step, Said)]
    return spoken[::-1]


def _boat(old: LifeboatsBoat, new: LifeboatsBoat, happening: Happening) -> list[str]:
    boat = PHRASES.name(new.letter)
    told: list[str] = []
    if not old.at_sea:
        return told
    if new.landed:
        told.append(say("The {boat} boat lands.", boat=boat))
        for name, was, has in zip(
            happening.names, happening.before.seats, happening.after.seats, strict=True
        ):
            if has.score > was.score:
                told.append(say("{name} scores {points}.", name=name, points=has.score - was.score))
        return told
    if not new.at_sea:
        return [say("The {boat} boat sinks.", boat=boat)]
    if new.leaks > old.leaks:
        told.append(say("The {boat} boat springs a leak.", boat=boat))
    if new.row > old.row:
        told.append(say("The {boat} boat moves ahead.", boat=boat))
    return told


def _drowned(happening: Happening) -> list[str]:
    """Name the owners of the pawns that are no longer anywhere."""
    told: list[str] = []
    for seat, name in enumerate(happening.names):
        (sailors, officers), (sailors_left, officers_left) = (
            _alive(view, seat) for view in (happening.before, happening.after)
        )
        told += [say("A sailor of {name} drowns.", name=name)] * (sailors - sailors_left)
        told += [say("An officer of {name} drowns.", name=name)] * (officers - officers_left)
    return told


def _alive(view: LifeboatsView, seat: int) -> tuple[int, int]:
    """Count a seat's sailors and officers: waiting, aboard, out of their boats, and ashore."""
    own = view.seats[seat]
    out = [each.pawn for each in view.left if each.seat == seat]
    return (
        own.waiting_sailors
        + sum(boat.sailors[seat] for boat in view.boats)
        + out.count("s")
        + sum(own.saved_sailors),
        own.waiting_officers
        + sum(boat.officers[seat] for boat in view.boats)
        + out.count("o")
        + sum(own.saved_officers),
    )

"""Plans: what a stored tournament plays, loaded once and cached until another decision is made about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import Session

from arena.bot_registry.bot_names import names
from arena.bot_registry.bot_version import BotVersion
from arena.bot_registry.bots import with_owners
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.match.clock import TimeControl
from arena.scheduling import seeds
from arena.scheduling.controller import Controller
from arena.scheduling.decisions import Decision, DecisionState, from_json
from arena.scheduling.formats import format_registry
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.match_sets import Plan, PlannedMatch, rotated
from arena.scheduling.planning_terms import Groups, Terms
from arena.storage import SEEN, Store
from arena.storage.schema import Decision as DecisionRow
from arena.storage.schema import Entry, Tournament, Version

# Built once: to build a statement takes as long as to run it.
_OF = bindparam("of", type_=Integer)
_REVISION = select(Tournament.revision).where(Tournament.id == _OF)
_DECISIONS = select(DecisionRow.data).where(DecisionRow.tournament_id == _OF).order_by(DecisionRow.number)
_OWNER_GROUPS = select(Entry.owner_group).where(Entry.tournament_id == _OF).order_by(Entry.number)
_ENTRIES = (
    with_owners()
    .join(Entry, Entry.version_id == Version.id)
    .where(Entry.tournament_id == _OF)
    .order_by(Entry.number)
)


class NotFound(Refusal):
    """Raised when a tournament, a match or a block is asked for that does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown", message, kind=RefusalKind.NOT_FOUND)


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A tournament's plan with all that its matches need, as it is after `revision` decisions.

    What was planned before stays: decisions only add sets at the end, or say that some are not played.
    """

    tournament_id: int
    name: str
    game: str
    variant: str
    options: Mapping[str, int]
    time: TimeControl
    pool_id: int | None
    entries: tuple[BotVersion, ...]
    plan: Plan
    rules: Format
    course: DecisionState
    revision: int
    terms: Terms
    delay_s: int = 0
    finished_at: float | None = None
    names: tuple[str, ...] = ()
    """The names of the entries (`arena.bot_registry.bot_names`)."""
    request_id: str | None = None
    """The request that created it."""

    @property
    def controller(self) -> Controller:
        """Return what decides how it goes on."""
        return Controller(self.rules, len(self.entries), self.plan.seats, self.plan.secret, self.terms)


def load(store: Store, session: Session, tournament_id: int) -> StoredPlan:
    """Return the plan of a tournament as it is now.  Raises NotFound."""
    seen: dict[int, StoredPlan] = session.info.get(SEEN, {})
    if tournament_id not in seen:
        seen[tournament_id] = _load(store, session, tournament_id)
    return seen[tournament_id]


def _load(store: Store, session: Session, tournament_id: int) -> StoredPlan:
    revision = session.scalar(_REVISION, {"of": tournament_id})
    cached = store.plans.find(tournament_id)
    if cached is not None and cached.version == revision:
        plan: StoredPlan = cached.value
        return plan
    plan = _read(session, tournament_id)
    if plan.revision:  # before the first decision entries come and go
        store.plans.put(tournament_id, plan.revision, plan)
    return plan


def forget(store: Store, tournament_id: int) -> None:
    """Forget the plan of a tournament after a decision about it: it is read again."""
    store.plans.drop(tournament_id)


def find(store: Store, tournament_id: int) -> StoredPlan:
    """Return the plan of a tournament, perhaps as it was a decision ago, with a transaction only where it is not in the cache.

    Raises NotFound.
    """
    cached = store.plans.find(tournament_id)
    if cached is not None:
        plan: StoredPlan = cached.value
        return plan
    with store.read() as session:
        return load(store, session, tournament_id)


def _read(session: Session, tournament_id: int) -> StoredPlan:
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFound(
            say(
                "tournament {tournament_id}: there is none; `arena tournament list` shows them",
                tournament_id=tournament_id,
            )
        )
    entries = read_entries(session, tournament_id)
    rules = rules_of(tournament)
    course = DecisionState.of(decisions_of(session, tournament_id))
    terms = terms_of(session, tournament, entries)
    return StoredPlan(
        tournament_id=tournament_id,
        name=tournament.name,
        game=tournament.game,
        variant=tournament.variant,
        options=tournament.options,
        time=time_of(tournament),
        pool_id=tournament.pool_id,
        entries=entries,
        plan=planned(
            rules,
            course,
            secret=tournament.secret,
            inputs=tournament.inputs,
            seats=tournament.seats,
            terms=terms,
            trusted=tournament.trusted,
        ),
        rules=rules,
        course=course,
        revision=tournament.revision,
        terms=terms,
        delay_s=tournament.delay_s,
        finished_at=tournament.finished_at,
        names=names(entries),
        request_id=tournament.request_id,
    )


def planned(
    rules: Format,
    course: DecisionState,
    *,
    secret: bytes,
    inputs: bytes,
    seats: int,
    terms: Terms,
    trusted: bool,
) -> Plan:
    """Plan what the decisions so far come to."""
    begun = course.cycles > 0 or course.rounds
    return Plan(
        secret=secret,
        inputs=inputs,
        seats=seats,
        may_share=terms.may_share,
        schedule=rules.schedule(len(terms.hosted), seats, course, secret, terms.apart) if begun else (),
        trusted=trusted,
        gone=frozenset(course.withdrawn),
        one_lane=terms.version == 1,
    )


def terms_of(session: Session, tournament: Tournament, entries: Sequence[BotVersion]) -> Terms:
    """Return the terms that a tournament began on; those of one that has not begun have no groups yet."""
    groups: Groups = ()
    if tournament.plan_version > 1:
        groups = tuple(session.scalars(_OWNER_GROUPS, {"of": tournament.id}))
    hosted = tuple(entry.hosted for entry in entries)
    return Terms(tournament.plan_version, hosted, groups, rated=tournament.pool_id is not None)


def decisions_of(session: Session, tournament_id: int) -> tuple[Decision, ...]:
    """Read the decisions about a tournament, in their order."""
    return tuple(map(from_json, session.scalars(_DECISIONS, {"of": tournament_id})))


def rules_of(tournament: Tournament) -> Format:
    """Return the format of a tournament with what it was given; a trial is a round-robin."""
    return format_registry.format_from_json(tournament.format, tournament.cycles, tournament.rules)


def read_entries(session: Session, tournament_id: int) -> tuple[BotVersion, ...]:
    """Return the entries of a tournament in the order of their numbers."""
    return tuple(BotVersion(*row) for row in session.execute(_ENTRIES, {"of": tournament_id}))


def schedule_inputs(rules: Format) -> dict[str, object] | None:
    """Return what a tournament's seeds follow from besides its cycles; nothing for a round-robin without more."""
    given = {"format": rules.name, **rules.to_json()}
    return None if given == {"format": format_registry.STANDARD_FORMAT} else given


def entries_inputs(rules: Format, entries: Sequence[BotVersion]) -> list[tuple[str, str]]:
    """Return the bots that a tournament's seeds follow from; those who enter a standing one do so as it goes on."""
    return [] if rules.is_standing else [(entry.bot, entry.version) for entry in entries]


def inputs_of(tournament: Tournament, entries: Sequence[BotVersion], terms: Terms) -> bytes:
    """Return the digest of all that a tournament's matches follow from."""
    rules = rules_of(tournament)
    return seeds.inputs_digest(
        commitment=tournament.commitment,
        game=tournament.game,
        variant=tournament.variant,
        options=tournament.options,
        time=str(time_of(tournament)),
        seats=tournament.seats,
        bots=entries_inputs(rules, entries),
        cycles=tournament.cycles,
        trusted=tournament.trusted,
        schedule=schedule_inputs(rules),
        plan=plan_inputs(rules, terms),
    )


def plan_inputs(rules: Format, terms: Terms) -> dict[str, object] | None:
    """Return what a plan of version 2 or later follows from besides its rules and bots; None for version 1."""
    if terms.version == 1:
        return None
    groups = [] if rules.is_standing else list(terms.groups)
    return {"version": terms.version, "rated": terms.rated, "groups": groups}


def time_of(tournament: Tournament) -> TimeControl:
    """Return the time control that is stored with a tournament."""
    return TimeControl(tournament.base_ms, tournament.increment_ms, tournament.cap_ms, tournament.talk_ms)


def entry_at(stored: StoredPlan, set_number: int, match_number: int, seat: int) -> int:
    """Return the number of the entry in a seat of a match; it is the same in each attempt."""
    return rotated(stored.plan.order(set_number), match_number)[seat]


def match(stored: StoredPlan, set_number: int, match_number: int, attempt: int) -> PlannedMatch:
    """Return one attempt at one match.  Raises NotFound."""
    try:
        return stored.plan.match(set_number, match_number, attempt)
    except IndexError:
        raise NotFound(
            say(
                "match {match_number} of set {set_number}: tournament {tournament_id} has sets 0 to {last_set} of {seats} "
                "matches each, from 0",
                match_number=match_number,
                set_number=set_number,
                tournament_id=stored.tournament_id,
                last_set=stored.plan.sets_total - 1,
                seats=stored.plan.seats,
            )
        ) from None


def check_set(stored: StoredPlan, set_number: int) -> None:
    """Check that a tournament has a set.  Raises NotFound."""
    match(stored, set_number, 0, 0)

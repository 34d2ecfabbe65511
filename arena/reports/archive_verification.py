"""Verification of a tournament from its archive alone: every deal, move and score, the schedule, and the table.

Only the commitment is trusted, which was published before entries opened: the secret must have its hash, and all
else follows from the secret, the inputs, and what the bots answered.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from arena.bot_registry.bot_version import BotVersion
from arena.competition import plans, tournament_states
from arena.competition.matches import running_totals
from arena.competition.matches.outcomes import (
    ABSENT,
    UNPLAYED,
    Outcome,
    pair_rows,
    read_outcome,
    unattended,
    version_rows,
)
from arena.competition.matches.rating_inputs import PairRow
from arena.competition.plans import StoredPlan
from arena.core.errors import UsageError
from arena.games import registry
from arena.match.clock import parse_time_control
from arena.match.record import RecordError, from_json
from arena.match.verification import verify
from arena.rankings import standings
from arena.ratings.model import ALGORITHM
from arena.reports import exports, round_views, tournament_archive
from arena.reports.decision_audit import DecisionMismatch, audit_decisions
from arena.reports.match_lists import result_sheets
from arena.scheduling import decisions, seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats import format_registry
from arena.scheduling.formats.adaptive_rounds import PairUnits, SetPairs
from arena.scheduling.match_sets import PlannedMatch
from arena.scheduling.planning_terms import Terms
from arena.storage.schema import VersionTotal

__all__ = ["DecisionMismatch", "Verdict", "check"]

_MAX_FILE_BYTES = 256 << 20
_SCOPE = "archive"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Parts of an archive that were checked, all of them right; matches without a record are checked except for their moves."""

    name: str
    commitment: str
    matches: int
    records: int
    not_kept: int


def check(file: Path, progress: Callable[[int, int], None]) -> Verdict:
    """Check an archive; `progress` is called with the matches done and all of them.  Raises Wrong."""
    try:
        with ZipFile(file) as opened:
            return _Check(opened, progress).verdict()
    except (OSError, BadZipFile) as error:
        raise DecisionMismatch(
            f"{file}: {error}; must be a zip that `arena tournament export --format zip` wrote"
        ) from error


class _Check:
    """One archive as it is checked.  Private to this module."""

    def __init__(self, opened: ZipFile, progress: Callable[[int, int], None]) -> None:
        self._zip = opened
        self._progress = progress
        self._names = set(opened.namelist())
        try:
            self._document: dict[str, Any] = json.loads(self._read(tournament_archive.TOURNAMENT))
            self._stored = self._plan()
            self._rows: list[dict[str, Any]] = self._document["matches"]
            self._pairs: Counter[tuple[int, int, str]] = Counter()
            self._versions: Counter[tuple[int, str]] = Counter()
            self._sets: dict[int, dict[tuple[int, int], list[int]]] = {}
            self._unplayed: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
            self._broken = self._broken_sets()
            self._not_kept: set[str] = set()
            if tournament_archive.NOT_KEPT in self._names:
                self._not_kept = set(json.loads(self._read(tournament_archive.NOT_KEPT)))
        except UsageError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DecisionMismatch(
                f"{tournament_archive.TOURNAMENT}: {error!r}; must be a {exports.FORMAT} document"
            ) from error

    def verdict(self) -> Verdict:
        """Check all of it.  Raises Wrong."""
        self._complete()
        records = 0
        for done, row in enumerate(self._rows):
            records += self._match(row)
            self._progress(done + 1, len(self._rows))
        self._schedule()
        self._table()
        if self._names:
            raise DecisionMismatch(f"{min(self._names)}: no file of that name belongs to this tournament")
        head = self._document
        return Verdict(head["name"], head["commitment"], len(self._rows), records, len(self._not_kept))

    def _complete(self) -> None:
        """Check that the archive has exactly the matches that had to be played, in their order."""
        plan, over = self._stored.plan, self._stored.course.over
        # Further planned matches of a cancelled tournament, or of a ladder's last rounds, were never played.
        may_lack = over is None or over.cancelled or self._stored.rules.is_standing
        planned = [(each, number) for each in range(plan.sets_total) for number in range(plan.seats)]
        found = [(row.get("set"), row.get("match")) for row in self._rows]
        there = set(found)
        missing = [key for key in planned if key not in there and plan.is_active(key[0]) and not may_lack]
        if missing:
            raise DecisionMismatch(
                f"matches: {len(found)} stand there, {len(planned)} were planned; "
                f"set {missing[0][0]} match {missing[0][1]} is missing"
            )
        if found != [key for key in planned if key in there]:
            raise DecisionMismatch(
                f"matches: {len(found)} stand there, not those that were planned, in this order"
            )

    def _broken_sets(self) -> frozenset[int]:
        """Return the sets that a withdrawal broke off: what was played of them does not count."""
        plan = self._stored.plan
        if not self._stored.terms.drops_broken_sets:
            return frozenset()
        played = Counter(row["set"] for row in self._rows)
        in_plan = range(plan.sets_total)
        return frozenset(
            number
            for number, matches in played.items()
            if number in in_plan and matches < plan.seats and not plan.is_active(number)
        )

    def _schedule(self) -> None:
        """Make every decision again, from the results that there were at its time, and see who has won."""
        sets = self._set_pairs()
        audit_decisions(self._stored, self._decisions, sets)
        void = self._stored.course.withdrawn
        counted = {
            number: tuple(pair for pair in pairs if not void.get(pair.low) and not void.get(pair.high))
            for number, pairs in sets.items()
        }
        self._rounds = round_views.rounds_of(self._stored, counted)
        for field, value in exports.course_of(self._stored, self._rounds).items():
            if self._document.get(field) != value:
                raise DecisionMismatch(f"{field}: is {self._document.get(field)!r}, must be {value!r}")

    def _set_pairs(self) -> dict[int, SetPairs]:
        """Return what the entries took from each other, by the numbers of the sets, those of annulled entries included."""
        sets: dict[int, SetPairs] = {}
        for number in self._sets.keys() | self._unplayed.keys():
            pairs = [PairUnits(*key, *units) for key, units in self._sets.get(number, {}).items()]
            known = {pair[:2] for pair in pairs}
            pairs += {PairUnits(*met, 0, 0) for met in self._unplayed[number] if met not in known}
            if pairs:
                sets[number] = tuple(sorted(pairs))
        return sets

    def _read(self, name: str) -> str:
        if name not in self._names:
            raise DecisionMismatch(f"{name}: is not in the archive")
        self._names.discard(name)
        info = self._zip.getinfo(name)
        if info.file_size > _MAX_FILE_BYTES:
            raise DecisionMismatch(f"{name}: {info.file_size} bytes; must be at most {_MAX_FILE_BYTES}")
        return self._zip.read(info).decode()

    def _plan(self) -> StoredPlan:
        """Compute what had to be played, from the secret and the inputs."""
        head = self._document
        if head["format"] not in exports.FORMATS.values():
            known = " or ".join(map(repr, exports.FORMATS.values()))
            raise DecisionMismatch(f"format {head['format']!r}: must be {known}")
        if head["secret"] is None:
            raise DecisionMismatch(_not_yet(head["state"]))
        secret = seeds.parse_secret(head["secret"])
        commitment = seeds.secret_commitment(secret)
        if commitment.hex() != head["commitment"]:
            raise DecisionMismatch(
                f"secret: its SHA-256 is {commitment.hex()}, published was {head['commitment']}"
            )
        if head["algorithm"] != ALGORITHM:
            raise DecisionMismatch(f"algorithm {head['algorithm']!r}: this version computes {ALGORITHM!r}")
        game = registry.find(head["game"])
        rules = format_registry.format_from_json(head["schedule"], head["cycles"], head["rules"])
        entries = tuple(
            BotVersion(
                number, bot["bot"], bot["version"], game.id, "hosted" if bot["hosted"] else "elsewhere", ""
            )
            for number, bot in enumerate(head["bots"])
        )
        terms = _terms(head)
        inputs = seeds.inputs_digest(
            commitment=commitment,
            game=game.id,
            variant=head["variant"],
            options=head["options"],
            time=head["time"],
            seats=head["seats"],
            bots=plans.entries_inputs(rules, entries),
            cycles=head["cycles"],
            trusted=head["trusted"],
            schedule=plans.schedule_inputs(rules),
            plan=plans.plan_inputs(rules, terms),
        )
        self._decisions = tuple(decisions.from_json(json.dumps(each)) for each in head["decisions"])
        course = DecisionState.of(self._decisions)
        plan = plans.planned(
            rules,
            course,
            secret=secret,
            inputs=inputs,
            seats=head["seats"],
            terms=terms,
            trusted=head["trusted"],
        )
        return StoredPlan(
            tournament_id=0,
            name=head["name"],
            game=game.id,
            variant=head["variant"],
            options=head["options"],
            time=parse_time_control(head["time"]),
            pool_id=None,
            entries=entries,
            plan=plan,
            rules=rules,
            course=course,
            revision=len(self._decisions),
            terms=terms,
        )

    def _match(self, row: dict[str, Any]) -> int:
        """Check a match against the plan and its record; give the number of records read."""
        where = f"set {row['set']} match {row['match']}"
        planned = self._stored.plan.match(row["set"], row["match"], row.get("attempt", 0))
        self._annulled(row, planned, where)
        for field, value in (("id", planned.id), ("seats", list(planned.seats))):
            if row.get(field) != value:
                raise DecisionMismatch(f"{where}: {field} is {row.get(field)!r}, planned was {value!r}")
        if row["end"] in UNPLAYED:
            self._without_record(row, planned, where)
            return 0
        name = tournament_archive.record_name(row["set"], row["match"])
        if name in self._not_kept:
            self._count(planned, self._listed(row, where))
            return 0
        text = self._read(name)
        try:
            record = from_json(text)
            wrong = verify(record)
        except RecordError as error:
            raise DecisionMismatch(f"{name}: {error}") from error
        if wrong is not None:
            raise DecisionMismatch(f"{name}: {wrong}")
        outcome = self._outcome(text, planned, name)
        if absent := self._absent(row, where):
            if [outcome.fault_seat] != absent or any(step.ms is not None for step in record.steps):
                raise DecisionMismatch(
                    f"{where}: absent {absent!r}: its record is not that of a match without it"
                )
            outcome = replace(outcome, absent=tuple(absent))
        listed = (row["end"], tuple(row["places"]), _scores(row), row.get("fault"))
        fault = (
            None if outcome.fault_seat is None else {"seat": outcome.fault_seat, "kind": outcome.fault_kind}
        )
        if listed != (outcome.end, outcome.places, outcome.scores, fault):
            raise DecisionMismatch(f"{where}: the result {listed!r} is not that of its record")
        self._count(planned, outcome)
        return 1

    def _annulled(self, row: dict[str, Any], planned: PlannedMatch, where: str) -> None:
        """Check that a match names the seats whose results do not count; documents of older arenas do not."""
        if "annulled" not in row and not self._stored.terms.counts_absences:
            return
        counts = row["end"] not in UNPLAYED or row.get("absent")
        right = list(exports.annulled_seats(self._stored, planned, self._broken)) if counts else []
        if row.get("annulled", []) != right:
            raise DecisionMismatch(
                f"{where}: annulled {row.get('annulled', [])!r}: must be {right!r}, by who has left"
            )

    def _listed(self, row: dict[str, Any], where: str) -> Outcome:
        """Read the outcome of a match whose record is not kept any more from the list of results."""
        places, fault, seats = tuple(row["places"]), row.get("fault") or {}, range(self._stored.plan.seats)
        if len(places) != len(seats) or not all(place - 1 in seats for place in places):
            raise DecisionMismatch(f"{where}: places {places!r} are not one for each of {len(seats)} seats")
        if fault and fault.get("seat") not in seats:
            raise DecisionMismatch(f"{where}: fault {fault!r} is not of one of {len(seats)} seats")
        absent = tuple(self._absent(row, where))
        if absent and absent != (fault.get("seat"),):
            raise DecisionMismatch(f"{where}: absent {list(absent)!r}: must be the seat at fault")
        return Outcome(places, _scores(row), row["end"], fault.get("seat"), fault.get("kind"), absent)

    def _absent(self, row: dict[str, Any], where: str) -> list[int]:
        """Read the seats that a match did not begin for."""
        absent: list[int] = row.get("absent", [])
        if absent and not self._stored.terms.counts_absences:
            raise DecisionMismatch(f"{where}: absent {absent!r}: this tournament's rules know no absences")
        if absent != sorted(set(absent)) or not set(absent) <= set(range(self._stored.plan.seats)):
            raise DecisionMismatch(f"{where}: absent {absent!r}: must be seats, each once, in their order")
        return absent

    def _without_record(self, row: dict[str, Any], planned: PlannedMatch, where: str) -> None:
        """Count a match that several bots were away from; what the platform annulled, or a ladder left out, counts for no bot."""
        if row["end"] != ABSENT or self._stored.rules.is_standing:
            return
        absent, seats = self._absent(row, where), self._stored.plan.seats
        if len(absent) < 2:
            raise DecisionMismatch(
                f"{where}: end {ABSENT!r}: only a ladder leaves out matches that fewer than two bots were away from"
            )
        outcome = Outcome.without(absent, seats)
        if (tuple(row["places"]), row["scores"]) != (outcome.places, None):
            raise DecisionMismatch(
                f"{where}: places {row['places']!r}: must be {list(outcome.places)!r}, and no scores"
            )
        self._count(planned, outcome)

    def _outcome(self, text: str, planned: PlannedMatch, name: str) -> Outcome:
        try:
            return read_outcome(text, self._stored, planned)
        except Exception as error:
            raise DecisionMismatch(f"{name}: {error}") from error

    def _count(self, planned: PlannedMatch, outcome: Outcome) -> None:
        if planned.set in self._broken:
            return
        own = pair_rows(_SCOPE, planned.seats, outcome)
        self._unplayed[planned.set] += unattended(planned.seats, outcome)
        of_set = self._sets.setdefault(planned.set, {})
        for row in own:
            low, high = _number(row["low"]), _number(row["high"])
            units = of_set.setdefault((low, high), [0, 0])
            units[0] += _number(row["low_units"])
            units[1] += _number(row["high_units"])
        annulled = {entry for entry, void in self._stored.course.withdrawn.items() if void}
        pairs, versions = running_totals.kept(own, version_rows(_SCOPE, planned.seats, outcome), annulled)
        for row in pairs:
            low, high = _number(row["low"]), _number(row["high"])
            for field in ("low_units", "high_units", "wins", "draws", "losses"):
                self._pairs[low, high, field] += _number(row[field])
        for row in versions:
            for field in ("matches", "faults", "absences"):
                self._versions[_number(row["version_id"]), field] += _number(row[field])

    def _set_rows(self) -> list[tuple[int, ...]]:
        """Return the sets as the table is computed from them."""
        gone = self._stored.course.withdrawn
        return [
            (number, *key, *units, 1)
            for number, pairs in self._sets.items()
            for key, units in pairs.items()
            if not gone.get(key[0]) and not gone.get(key[1])
        ]

    def _table(self) -> None:
        """Recompute the table from the results."""
        fields = ("low_units", "high_units", "wins", "draws", "losses")
        met = sorted({(low, high) for low, high, _ in self._pairs})
        pairs = [
            PairRow(low=low, high=high, **{field: self._pairs[low, high, field] for field in fields})
            for low, high in met
        ]
        versions = [
            VersionTotal(
                scope=_SCOPE,
                version_id=number,
                matches=self._versions[number, "matches"],
                faults=self._versions[number, "faults"],
                absences=self._versions[number, "absences"],
            )
            for number in sorted({number for number, _ in self._versions})
        ]
        reached = exports.places_of(self._stored, self._rounds)
        table = standings.arrange(self._stored.entries, pairs, versions, self._set_rows(), reached=reached)
        if table.input_sha256 != self._document["input_sha256"]:
            raise DecisionMismatch(
                f"input_sha256: the results add up to {table.input_sha256}, the table says {self._document['input_sha256']}"
            )
        listed = self._document["table"]
        for place, row in enumerate(table.rows):
            computed = exports.standing(row)
            if place >= len(listed) or listed[place] != computed:
                raise DecisionMismatch(f"table: row {place} must be {computed!r}")
        if len(listed) > len(table.rows):
            raise DecisionMismatch(f"table: {len(listed)} rows, must be {len(table.rows)}")
        sheets = [result_sheets.of_document(self._document)]
        if not self._stored.terms.counts_absences:
            sheets.append(result_sheets.of_older_archive(self._document))
        if self._read(tournament_archive.RESULTS) not in sheets:
            raise DecisionMismatch(
                f"{tournament_archive.RESULTS}: is not what {tournament_archive.TOURNAMENT} says"
            )


def _not_yet(state: str) -> str:
    """Return why an archive without a secret cannot be checked."""
    if state in tournament_states.OVER:
        return "secret: is not published yet; the tournament is over, but its organiser shows deals later: its page says when"
    return "secret: is not published yet; a tournament can be checked when it is over"


def _terms(head: dict[str, Any]) -> Terms:
    """Read the terms of an archive's plan; those of version 1 are not written down."""
    bots = head["bots"]
    hosted = tuple(bool(bot["hosted"]) for bot in bots)
    if head["format"] == exports.FORMATS[1]:
        return Terms(1, hosted)
    if exports.FORMATS.get(head["plan"]) != head["format"]:
        version = next(number for number, each in exports.FORMATS.items() if each == head["format"])
        raise DecisionMismatch(f"plan {head['plan']!r}: must be {version} in a document of {head['format']}")
    return Terms(head["plan"], hosted, tuple(bot["group"] for bot in bots), rated=head["rated"])


def _scores(row: dict[str, Any]) -> tuple[int, ...] | None:
    return None if row["scores"] is None else tuple(row["scores"])


def _number(value: object) -> int:
    assert isinstance(value, int)  # noqa: S101 - how outcomes give them
    return value

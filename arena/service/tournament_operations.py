"""Tournaments: created, shown and exported; directed by their organisers, entered by authors."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from tempfile import TemporaryFile
from typing import IO, Literal

from arena.competition import corrections, creation, estimates, lifecycle
from arena.competition.estimates import Estimate
from arena.rankings import set_measures, superiority
from arena.rankings.set_measures import SetSavings
from arena.rankings.superiority import SuperiorityTable
from arena.reports import (
    decision_audit,
    decision_log,
    exports,
    match_views,
    score_history,
    tournament_archive,
    tournaments,
)
from arena.reports.decision_audit import DecisionAudit
from arena.reports.decision_log import LoggedDecision
from arena.reports.match_lists import listed_matches, match_cursors, record_lines
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.reports.match_lists.result_exports import SHEETS
from arena.reports.score_history import ScoreHistory
from arena.reports.tournament_details import ListedTournament, TournamentPage
from arena.service.composed_answers import Entered
from arena.service.noun import Noun, writes
from arena.service.paging import (
    DEFAULT_LIMIT,
    Page,
    Pages,
    keyed,
    listed,
    newest_first,
    number_of,
    unknown_cursor,
)
from arena.service.requests import TournamentChange, TournamentCreate

ExportFormat = Literal["json", "csv", "standings", "pgn", "zip"]
_CHUNK_BYTES = 1 << 16


class Tournaments(Noun):
    """The operations on tournaments; those that name one raise NotFound if it does not exist."""

    def list(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[ListedTournament]:
        """List tournaments, the newest first."""

        def read(before: int | None, most: int) -> tuple[ListedTournament, ...]:
            rows = tournaments.listing(self._store, before=before, most=most)
            return tournaments.with_winners(self._store, rows)

        return newest_first(read, attrgetter("id"), limit=limit, cursor=cursor)

    def list_own(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[ListedTournament]:
        """List the tournaments that the actor has created, the newest first."""
        rows = tournaments.created_by(self._store, self._actor.name)
        return listed(tournaments.with_winners(self._store, rows), limit=limit, cursor=cursor)

    @writes
    def create(self, body: TournamentCreate) -> TournamentPage:
        """Create a tournament.  Unless it waits for entries, its matches begin at once.

        Raises:
            Refusal: the actor is not an organiser
            UsageError: a field has a value that is not possible; the message names it
        """
        return tournaments.page(self._store, creation.create(self._store, body.spec(), self._actor))

    def estimate(self, body: TournamentCreate) -> Estimate:
        """Return how many matches a tournament would have and about how long it would take.  Raises UsageError as `create`."""
        return estimates.estimate(self._store, body.spec(), self._actor)

    def show(self, tournament_id: int) -> TournamentPage:
        """Return progress, standings and crosstable as they are now; the secret once it is over."""
        return tournaments.page(self._store, tournament_id)

    def list_matches(
        self, tournament_id: int, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[ListedMatch]:
        """List the matches of a tournament, in order, those to come included."""

        def read(at: str | None, limit: int) -> Page[ListedMatch]:
            number, _, match = (at or "0-0").partition("-")
            if not (number + match).isdecimal() or len(number + match) > 18:
                raise unknown_cursor(cursor or "")
            skip = int(match or 0)
            found = match_views.of_tournament(self._store, tournament_id, int(number), limit + 1)
            rows = listed_matches.read(self._store, found[skip : skip + limit])
            after = found[skip + limit : skip + limit + 1]
            self.ask_for_dramas(rows)
            return Page(rows, f"{after[0].set}-{after[0].match}" if after else None)

        return keyed(read, limit=limit, cursor=cursor)

    def list_decisions(
        self, tournament_id: int, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[LoggedDecision]:
        """List the decisions about a tournament, in order: its schedule follows from it."""

        def read(at: str | None, limit: int) -> Page[LoggedDecision]:
            first = number_of(at)
            rows = decision_log.decision_rows(self._store, tournament_id, first=first, most=limit + 1)
            return Page(rows[:limit], str(first + limit) if len(rows) > limit else None)

        return keyed(read, limit=limit, cursor=cursor)

    def export(
        self,
        tournament_id: int,
        *,
        format: ExportFormat = "json",  # noqa: A002 - as the API has it
    ) -> Iterator[bytes]:
        """Return a tournament as it is so far, in parts: the same bytes wherever the same tournament was played.

        Args:
            tournament_id: its number
            format: json: results and table; csv: results; standings: the table as CSV; pgn: results of two seats;
                zip: all of it, and the records once it is over, as `arena verify --tournament` needs it
        """
        if format != "zip":
            return iter((SHEETS.get(format, exports.export)(self._store, tournament_id).encode(),))
        file = TemporaryFile()  # noqa: SIM115 - closed when its last part is read
        try:
            tournament_archive.write(self._store, tournament_id, file)
        except BaseException:
            file.close()
            raise
        return _parts(file)

    def download_records(
        self, tournament_id: int, *, limit: int = 1000, cursor: str | None = None
    ) -> Iterator[bytes]:
        """Return the records of a tournament's open matches, a line of JSON each, in one zstd frame.

        Args:
            tournament_id: its number
            limit: how many at most
            cursor: TOURNAMENT-SET-MATCH of the last line that was read; from the beginning if left out
        """
        after = match_cursors.parse(cursor)
        return record_lines.of_tournament(self._store, tournament_id, after, limit)

    def show_superiority(self, tournament_id: int) -> SuperiorityTable:
        """Return the probability that each entry is stronger than each other one, by the results of this tournament alone."""
        return superiority.superiority_of_tournament(self._store, tournament_id)

    def show_race(self, tournament_id: int) -> ScoreHistory:
        """Return the share of the points that each of the best eight had after each number of sets."""
        return score_history.read(self._store, tournament_id)

    def check_decisions(self, tournament_id: int) -> DecisionAudit | None:
        """Return whether each decision follows from the results that there were; None until the tournament is over."""
        return decision_audit.check(self._store, tournament_id)

    def show_savings(self, tournament_id: int) -> SetSavings | None:
        """Return how many matches its sets have saved a tournament, by its own results; None where they are too few."""
        return set_measures.set_savings(self._store, tournament_id)

    @writes
    def open_entries(self, tournament_id: int) -> TournamentPage:
        """Open a tournament for entries of authors, until it is started.  Raises Refusal."""
        lifecycle.open_entries(self._store, tournament_id, self._actor)
        return self.show(tournament_id)

    @writes
    def start(self, tournament_id: int) -> TournamentPage:
        """Begin with the bots that are entered.  Raises UsageError (Refusal among it)."""
        lifecycle.start(self._store, tournament_id, self._actor)
        return self.show(tournament_id)

    @writes
    def pause(self, tournament_id: int) -> TournamentPage:
        """Begin nothing more of a tournament; matches that have begun are played to their end.  Raises Refusal."""
        lifecycle.pause(self._store, tournament_id, self._actor)
        return self.show(tournament_id)

    @writes
    def resume(self, tournament_id: int) -> TournamentPage:
        """Resume a paused tournament.  Raises Refusal."""
        lifecycle.resume(self._store, tournament_id, self._actor)
        return self.show(tournament_id)

    @writes
    def cancel(self, tournament_id: int, *, why: str = "") -> TournamentPage:
        """End a tournament early, for good: its results stay, and its secret is published.  Raises Refusal."""
        lifecycle.cancel(self._store, tournament_id, self._actor, why)
        return self.show(tournament_id)

    @writes
    def extend(self, tournament_id: int, *, more: int) -> TournamentPage:
        """Add cycles to a tournament, or rounds to a Swiss.  Raises UsageError (Refusal among it)."""
        lifecycle.extend(self._store, tournament_id, more, self._actor)
        return self.show(tournament_id)

    @writes
    def edit(self, tournament_id: int, body: TournamentChange) -> TournamentPage:
        """Change a tournament: its description and priority until it is over, the rest until it begins.

        Raises:
            Refusal: it has begun, or is over, and the field depends on that
            UsageError: a field has a value that is not possible; the message names it
        """
        corrections.edit(self._store, tournament_id, body.correction(), self._actor)
        return self.show(tournament_id)

    @writes
    def delete(self, tournament_id: int) -> None:
        """Delete a tournament that has not begun, with its entries.  Raises Refusal."""
        corrections.remove(self._store, tournament_id, self._actor)

    @writes
    def enter_bot(self, tournament_id: int, *, bot: str) -> Entered:
        """Enter a bot, NAME or NAME@VERSION: an author an own bot while the tournament is open, an organiser any before it starts.

        Raises:
            Refusal: the bot is not the actor's, cannot play here, or is entered already
        """
        found = lifecycle.enter(self._store, tournament_id, bot, self._actor)
        return Entered(tournament_id, found.bot, found.version)

    @writes
    def withdraw_bot(self, tournament_id: int, name: str, *, annul: bool = False) -> Entered:
        """Take a bot out: an author an own bot from the opening of entries on, whose results stay, an organiser any.

        Args:
            tournament_id: the tournament's number
            name: NAME, or NAME@VERSION
            annul: whether its results are annulled: they then count for no table
        """
        found = lifecycle.withdraw(self._store, tournament_id, name, self._actor, annul=annul)
        return Entered(tournament_id, found.bot, found.version)


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk

"""Bots: submitted and added by their authors, their versions, logs, tokens and weights; how each plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.bot_registry import bots, note_visibility, stored_uploads, stored_weights, weights_uploads
from arena.bot_registry.weights_uploads import WeightsUpload
from arena.bundle_format.bundle import read_upload
from arena.competition import estimates
from arena.competition.qualification import challenges, comparisons, submissions
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games import registry
from arena.operations import connection_status
from arena.rankings.public_ratings import find_variant
from arena.reports import author_overview, bot_logs, bot_profiles, decision_times
from arena.reports.insights import stored_styles
from arena.reports.match_lists import matches_of_bot
from arena.scheduling.stop_rules import Sprt
from arena.service.composed_answers import (
    Added,
    Bot,
    BotStyle,
    Challenge,
    Comparison,
    NoteVisibility,
    Weights,
)
from arena.service.noun import Noun, writes
from arena.service.paging import DEFAULT_LIMIT, Page, Pages, keyed, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.bot_registry.stored_uploads import Upload
    from arena.competition.qualification.submissions import VersionRow
    from arena.operations.connection_status import ConnectionStatus
    from arena.reports.author_overview import OwnEntry
    from arena.reports.bot_logs import LogRow, MatchLog
    from arena.reports.bot_profiles import Profile
    from arena.reports.decision_times import DecisionTimes
    from arena.reports.match_lists.listed_matches import ListedMatch
    from arena.service.requests import Addition, ComparisonRequest


class Bots(Noun):
    """The operations on bots; `name` is a bot's name, or NAME@VERSION where one version is meant.

    Those on one's own bot raise Refusal for a bot of another user; an admin may use them on any.
    """

    def list(
        self, *, game: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[Bot]:
        """List every version of every bot, by game, name and age.  Raises UsageError for an unknown game."""
        if game is not None:
            registry.find(game)
        rows = bots.listing(self._store, game)
        return listed(tuple(Bot.of(row) for row in rows), limit=limit, cursor=cursor)

    def show(self, game_id: str, name: str) -> Profile:
        """Return versions, ratings, opponents, last matches and faults of a bot.  Raises Refusal for an unknown one."""
        profile = bot_profiles.read(self._store, game_id, name)
        self.ask_for_dramas(profile.last)
        return profile

    def list_matches(
        self, game_id: str, name: str, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[ListedMatch]:
        """List the matches of a bot in tournaments that have a result, the newest first.  Raises Refusal."""

        def read(cursor: str | None, limit: int) -> Page[ListedMatch]:
            found = matches_of_bot.read(self._store, game_id, name, limit, cursor)
            self.ask_for_dramas(found.matches)
            return Page(found.matches, found.next)

        return keyed(read, limit=limit, cursor=cursor)

    def show_times(self, game_id: str, name: str) -> DecisionTimes:
        """Return the distribution of a bot's decision times, from the records of its last public matches."""
        return decision_times.read(self._store, self.show(game_id, name))

    def show_style(self, game_id: str, name: str, *, variant: str | None = None) -> BotStyle:
        """Return traits, scores, results by seat and notable matches of a bot's newest rated version in a variant."""
        profile = self.show(game_id, name)
        variant = find_variant(game_id, variant)
        rated = next((pool.rows[-1] for pool in profile.pools if pool.variant == variant), None)
        if rated is None:
            return BotStyle(variant, None, None, None)
        played = sum(each.matches for each in profile.versions if each.version == rated.version)
        found = stored_styles.load(self._store, rated.version_id, game_id, variant, played)
        if found.is_due:
            self.ask_for_style(rated.version_id, variant)
        return BotStyle(variant, rated.version, found.style, found.average)

    def ask_for_style(self, version_id: int, variant: str) -> None:
        """Have workers measure how a version plays, which some seconds later `show_style` returns."""
        self.context.after_read(lambda client: stored_styles.STYLE.ask(client, version_id, variant))

    def check_submission(self) -> None:
        """Check that the actor may submit a bot now, before an upload is read.  Raises Refusal."""
        submissions.check_quotas(self._store, self._actor, self.context.rules)

    @writes
    def submit(
        self, data: bytes, *, filename: str, game: str | None = None, name: str | None = None
    ) -> tuple[VersionRow, ...]:
        """Make an upload a new version of a bot, in each game that it plays; it then waits for its qualification.

        Args:
            data: a Python file, or a zip with a `bot.toml`
            filename: what the upload is called, `….py` or `….zip`
            game: the game that a Python file plays
            name: the bot's name, if not the file's

        Raises:
            Refusal: the upload has an error, or a quota is used up
        """
        rules = self.context.rules
        return submissions.submit(
            self._store,
            self._actor,
            read_upload(data, filename, game=game, name=name),
            allowed=rules.packages,
            most=rules.submissions_per_day,
            most_bots=rules.bots_per_author,
            most_mib=rules.upload_mib_per_author,
            kinds=rules.kinds,
            weights=rules.weights,
        )

    @writes
    def add(self, game_id: str, body: Addition) -> Added:
        """Add a bot that connects with the token of the answer, or one that listens at an address.  Raises Refusal."""
        rules = self.context.rules
        if body.source == bots.ENDPOINT:
            if body.address is None:
                raise Refusal("address_invalid", "address: an endpoint needs one, HOST:PORT", field="address")
            added = bots.add_endpoint(
                self._store,
                self._actor,
                game_id,
                body.name,
                body.address,
                body.secret,
                private=rules.private_endpoints,
                most=rules.bots_per_author,
            )
            return Added(added.game, added.bot, added.source, None, None)
        for field in ("address", "secret"):
            if getattr(body, field) is not None:
                raise Refusal(
                    f"{field}_invalid", f"{field}: only an endpoint has one; leave it out", field=field
                )
        made = bots.add_dial_in(self._store, self._actor, game_id, body.name, most=rules.bots_per_author)
        return Added.of(made)

    @writes
    def renew_token(self, game_id: str, name: str) -> Added:
        """Make a new token for an own dial-in bot; the one that it had counts no longer.  Raises Refusal."""
        return Added.of(bots.renew_token(self._store, self._actor, game_id, name))

    @writes
    def revoke_token(self, game_id: str, name: str) -> None:
        """Revoke the token of an own dial-in bot: it is disconnected, and rejected from then on.  Raises Refusal."""
        bots.revoke_token(self._store, self._actor, game_id, name)

    def list_versions(
        self, game_id: str, name: str, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[VersionRow]:
        """List the versions of an own bot, the newest first, with the reason why one failed its qualification."""
        rows = submissions.versions(self._store, self._actor, game_id, name)
        return listed(rows, limit=limit, cursor=cursor)

    def show_connection(self, game_id: str, name: str) -> ConnectionStatus:
        """Return whether an own bot that dials in is connected, or at which address an endpoint listens."""
        reached = author_overview.reached(self._store, self._actor, game_id, name)
        return connection_status.read(self._redis, reached)

    def list_entries(
        self, game_id: str, name: str, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[OwnEntry]:
        """List the tournaments that are open for entries, then those that an own bot is in, the newest first."""
        rows = author_overview.entered(self._store, self._actor, game_id, name)
        return listed(rows, limit=limit, cursor=cursor)

    def download_upload(self, game_id: str, name: str) -> bytes:
        """Return the upload that a version of an own bot was made of, the newest if none is named."""
        return self.show_upload(game_id, name).data

    def show_upload(self, game_id: str, name: str) -> Upload:
        """Return what `download_upload` returns, with its file name."""
        return stored_uploads.of_version(self._store, self._actor, game_id, name)

    @writes
    def withdraw_version(self, game_id: str, name: str) -> VersionRow:
        """Take the active version of an own bot, or the one that is named, out of what can be entered."""
        return submissions.withdraw(self._store, self._actor, game_id, name)

    @writes
    def restore_version(self, game_id: str, name: str) -> VersionRow:
        """Make the newest version, or a named one, active; one that has not qualified is tried again."""
        most, most_bots = self.context.rules.submissions_per_day, self.context.rules.bots_per_author
        return submissions.restore(self._store, self._actor, game_id, name, most=most, most_bots=most_bots)

    @writes
    def challenge(self, game_id: str, name: str, *, others: Sequence[str]) -> Challenge:
        """Play an own bot in an unrated set against others, one for each seat.  Raises UsageError (Refusal among it)."""
        most = self.context.rules.challenges_per_day
        return Challenge(challenges.challenge(self._store, self._actor, game_id, name, others, most=most))

    @writes
    def compare_versions(self, game_id: str, name: str, body: ComparisonRequest) -> Comparison:
        """Play two versions of an own bot against each other, unrated, until a test (SPRT) has decided or all sets are played."""
        number = comparisons.compare(
            self._store,
            self._actor,
            game_id,
            name,
            body.first,
            body.second,
            stop=Sprt(body.elo0, body.elo1),
            sets=body.sets,
            most=self.context.rules.comparisons_per_day,
        )
        return Comparison(number, estimates.seconds_of(self._store, number))

    def list_logs(
        self, game_id: str, name: str, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[LogRow]:
        """List the last matches of an own bot, the newest first: how they ended, its times, how much it printed."""
        rows = bot_logs.recent(self._store, self._actor, game_id, name, bot_logs.MAX_ROWS)
        return listed(rows, limit=limit, cursor=cursor)

    def show_log(
        self,
        game_id: str,
        name: str,
        match_id: str,
        *,
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> Pages[MatchLog]:
        """Return what an own bot printed in a match and its timings, once for each seat that it had."""
        rows = bot_logs.of_match(self._store, self._actor, game_id, name, match_id)
        return listed(rows, limit=limit, cursor=cursor)

    def show_note_visibility(self, game_id: str, name: str) -> NoteVisibility:
        """Return whether everybody may read the notes of an own bot, once a match is open."""
        return NoteVisibility(public=note_visibility.are_public(self._store, self._actor, game_id, name))

    @writes
    def set_note_visibility(self, game_id: str, name: str, *, public: bool) -> NoteVisibility:
        """Let everybody read the notes of an own bot, those of earlier matches as well, or its owner alone."""
        return NoteVisibility(
            public=note_visibility.set_public(self._store, self._actor, game_id, name, public=public)
        )

    def show_weights(self, sha256: str) -> Weights:
        """Return the size of weights that the actor has uploaded.  Raises Refusal if there are none of this SHA-256."""
        size = stored_weights.size_of(self._store, self._actor, sha256)
        if size is None:
            raise Refusal(
                "weights_missing",
                say("weights {sha256}: you have not uploaded a file of that SHA-256", sha256=sha256),
                field="sha256",
                kind=RefusalKind.NOT_FOUND,
            )
        return Weights(sha256, size)

    def begin_weights(self, sha256: str, *, size: int) -> WeightsUpload:
        """Begin the upload of a file of so many bytes, or continue one: `received` says where.  Raises Refusal."""
        return weights_uploads.begin(self._store, self._actor, sha256, size, self.context.rules.weights)

    def show_weights_upload(self, sha256: str) -> WeightsUpload:
        """Return how far an unfinished upload is.  Raises Refusal if there is none."""
        return weights_uploads.show(self._store, self._actor, sha256)

    def upload_weights_part(self, sha256: str, data: bytes, *, offset: int) -> WeightsUpload:
        """Add the bytes of weights from an offset on.  Raises Refusal for another offset than `received`."""
        return weights_uploads.add(self._store, self._actor, sha256, offset, data)

    def finish_weights(self, sha256: str) -> WeightsUpload:
        """Check that all parts together have this SHA-256; only then can an upload name the file.  Raises Refusal."""
        return weights_uploads.finish(self._store, self._actor, sha256)

"""A bot as its owner sees it: versions and their qualification, tournaments, challenges, matches with logs, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Path, Request, Response

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bundle_format.sandbox_errors import explain
from arena.competition.qualification import submissions, verdicts
from arena.competition.qualification.submissions import Rules, VersionRow
from arena.competition.qualification.verdicts import LAST_WORDS
from arena.competition.tournament_states import OVER
from arena.core.errors import Refusal, UsageError
from arena.declarations import declared_tables
from arena.games import registry
from arena.match.faults import FaultKind
from arena.reports import author_overview, bot_logs, tournaments
from arena.reports.bot_logs import LogRow
from arena.reports.tournament_details import TournamentRow
from arena.service.composed_answers import Added
from arena.service.local_arena import LocalArena
from arena.storage import Store
from arena.web.auth.arena_access import UserPageArena
from arena.web.auth.page_auth import see_other
from arena.web.bots.own_log_page import ADVICE
from arena.web.bots.sdk_downloads import attached
from arena.web.http.app_services import service_of
from arena.web.http.path_parameters import GameId, TheStore, TournamentId
from arena.web.ui.form_state import Refused, Text, answer
from arena.web.ui.game_titles import TITLES, describe_seats
from arena.web.ui.languages import mark

_LOGS = 8
_MAX_OTHER_MATCHES = 10
_DONE = {
    "withdrawn": mark("The version has been withdrawn and can no longer be entered."),
    "restored": mark("The version has been restored."),
    "revoked": mark("Token revoked: the bot is disconnected and can no longer connect."),
    "entered": mark("The bot has been entered."),
    "notes-public": mark("Its notes are public: everyone can read them once a match is open."),
    "notes-private": mark("Its notes are private: only you can read them."),
    "left": mark("The bot has been withdrawn from the tournament."),
}

router = APIRouter(prefix="/account/bots/{game_id}/{name}", include_in_schema=False)


def address(game: str, name: str, said: str = "") -> str:
    """Return the address of a bot's page, where `said` has happened."""
    return f"/account/bots/{game}/{quote(name)}" + (f"?done={said}" if said else "")


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot as requested by its owner; the services check the ownership."""

    request: Request
    store: Store
    arena: LocalArena
    game: str
    name: str

    @property
    def actor(self) -> Actor:
        """The owner."""
        return self.arena.actor

    def done(self, said: str) -> Response:
        """Send the browser on to the page, which says what has happened."""
        return see_other(address(self.game, self.name, said))

    def page(self, refused: Refused | None = None, made: Added | None = None) -> Response:
        """Render the page; with a token that was just made, this once.  Raises Refusal."""
        store, actor, game = self.store, self.actor, registry.find(self.game)
        versions = submissions.versions(store, actor, game.id, self.name)
        trial = _trial(store, versions[0])
        if trial is not None and trial.state in OVER:
            # Its verdict was stored with its end, perhaps a moment ago; a version that still waits is to be tried again.
            versions, trial = submissions.versions(store, actor, game.id, self.name), None
        newest = versions[0]
        active = next((row for row in versions if row.state == bots.ACTIVE), None)
        said, _, words = (newest.reason or "").partition(LAST_WORDS)
        entered = author_overview.entered(store, actor, game.id, self.name)
        rows = bot_logs.recent(store, actor, game.id, self.name, _LOGS)
        counts = [count for counts in game.variants.values() for count in counts]
        return answer(
            self.request,
            "own_bot.html",
            refused,
            once=made is not None,
            game=game,
            seats=describe_seats(game),
            bot=newest.bot,
            here=address(game.id, newest.bot),
            versions=versions,
            newest=newest,
            active=active,
            playable=[
                row for row in versions if row.files_kept and row.state not in {bots.WAITING, bots.FAILED}
            ],
            trial=trial,
            reason=verdicts.in_words(said),
            words=words,
            last_words=LAST_WORDS,
            advice=_advise(self.request, words, rows, newest.trial),
            uploaded=author_overview.reached(store, actor, game.id, self.name).uploaded,
            connection=self.arena.bots.show_connection(game.id, self.name),
            made=made,
            entered=[row for row in entered if row.version is not None],
            open=[row for row in entered if row.version is None],
            has_tables=declared_tables.has_choice(game.id),
            tables=declared_tables.words((active or newest).plays),
            enterable=[
                row
                for row in entered
                if active is not None
                and row.seats in active.plays.get(row.variant, ())
                and row.variant not in active.suspended_in
            ],
            fewest=next(iter(game.variants.values()))[0],
            most=max(counts),
            opponents=[other for other in author_overview.opponents(store, game.id) if other != newest.bot],
            logs=rows,
            notes_public=self.arena.bots.show_note_visibility(game.id, self.name).public,
            faults=[row for row in rows if row.fault_kind],
            also=[
                row
                for row in author_overview.bots_of(store, actor)
                if row.bot == newest.bot and row.game != game.id
            ],
            titles=TITLES,
            quotas=self.arena.accounts.show_quotas(),
            done=_DONE.get(self.request.query_params.get("done", ""), ""),
        )


def _own(
    request: Request,
    store: TheStore,
    arena: UserPageArena,
    game_id: GameId,
    name: Annotated[str, Path(max_length=80)],
) -> OwnBot:
    return OwnBot(request, store, arena, game_id, name)


TheOwnBot = Annotated[OwnBot, Depends(_own)]
Number = Annotated[str, Path(max_length=80)]


@router.get("")
def show(own: TheOwnBot) -> Response:
    """Show one's own bot."""
    return own.page()


@router.post("/versions/{version}/withdraw")
def withdraw(own: TheOwnBot, version: Number) -> Response:
    """Take a version out of what can be entered."""
    try:
        own.arena.bots.withdraw_version(own.game, f"{own.name}@{version}")
    except Refusal as refusal:
        return own.page(Refused.of("versions", refusal))
    return own.done("withdrawn")


@router.post("/versions/{version}/restore")
def restore(own: TheOwnBot, version: Number) -> Response:
    """Make a version the active one; one that has not qualified is tried again."""
    try:
        own.arena.bots.restore_version(own.game, f"{own.name}@{version}")
    except Refusal as refusal:
        return own.page(Refused.of("versions", refusal))
    return own.done("restored")


@router.get("/versions/{version}/upload")
def download(own: TheOwnBot, version: Number) -> Response:
    """Return the files that a version was made of."""
    found = own.arena.bots.show_upload(own.game, f"{own.name}@{version}")
    return attached(found.filename, found.data)


@router.post("/token")
def renew_token(own: TheOwnBot) -> Response:
    """Make a new token; this answer is the only place where it can be read."""
    return own.page(made=own.arena.bots.renew_token(own.game, own.name))


@router.post("/token/revoke")
def revoke_token(own: TheOwnBot) -> Response:
    """Revoke the bot's token and disconnect it."""
    own.arena.bots.revoke_token(own.game, own.name)
    return own.done("revoked")


@router.post("/notes")
def show_notes(own: TheOwnBot, public: Text = "") -> Response:
    """Make the notes of a bot public, or private to its owner."""
    own.arena.bots.set_note_visibility(own.game, own.name, public=public == "yes")
    return own.done("notes-public" if public == "yes" else "notes-private")


@router.post("/challenges")
def challenge(
    own: TheOwnBot,
    version: Text = "",
    others: Annotated[tuple[str, ...], Form(max_length=_MAX_OTHER_MATCHES)] = (),
) -> Response:
    """Play a set against others, for no table; its page shows it live."""
    named = [other.strip() for other in others if other.strip()]
    mine = f"{own.name}@{version}" if version else own.name
    try:
        begun = own.arena.bots.challenge(own.game, mine, others=named)
    except UsageError as error:
        return own.page(Refused.of("challenge", error, version=version, others="\n".join(named)))
    return see_other(f"/tournaments/{begun.tournament}")


@router.post("/enter/{tournament_id}")
def enter(own: TheOwnBot, tournament_id: TournamentId) -> Response:
    """Enter the active version in a tournament that is open."""
    try:
        own.arena.tournaments.enter_bot(tournament_id, bot=own.name)
    except UsageError as error:
        return own.page(Refused.of("enter", error))
    return own.done("entered")


@router.post("/leave/{tournament_id}")
def leave(own: TheOwnBot, tournament_id: TournamentId) -> Response:
    """Take the bot out of a tournament that has not begun."""
    try:
        own.arena.tournaments.withdraw_bot(tournament_id, own.name)
    except UsageError as error:
        return own.page(Refused.of("enter", error))
    return own.done("left")


def _advise(request: Request, words: str, rows: Sequence[LogRow], trial: int | None) -> str:
    """Return what to do about the fault that a trial ended by; empty where there was none, or where its reason says it."""
    kind = next((row.fault_kind for row in rows if row.fault_kind and row.tournament_id == trial), None)
    if kind is None or explain(words, service_of(request.app, Rules).sandbox) is not None:
        return ""
    return ADVICE[FaultKind(kind)]


def _trial(store: Store, newest: VersionRow) -> TournamentRow | None:
    """Show how far the qualification of the newest version is, if it waits for the verdict."""
    if newest.state != bots.WAITING or newest.trial is None:
        return None
    return tournaments.row(store, newest.trial)

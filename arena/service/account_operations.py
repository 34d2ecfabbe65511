"""Accounts: one's own tokens, sessions and quotas; users, invitations and the audit log, for admins."""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter
from typing import TYPE_CHECKING

from arena.accounts import audit_log, invitations, passwords, sessions, token_expiry, tokens, users
from arena.accounts.audit_log import Filter
from arena.reports import author_overview
from arena.service.composed_answers import Me, SignedOut, UserWithPassword
from arena.service.noun import Noun, writes
from arena.service.paging import DEFAULT_LIMIT, Pages, listed, newest_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.accounts.actors import Role
    from arena.accounts.audit_log import AuditRow
    from arena.accounts.invitations import InvitationRow, NewInvitation
    from arena.accounts.tokens import NewApiToken, TokenRow
    from arena.accounts.users import UserRow
    from arena.reports.author_overview import OwnBot, Quotas


class Accounts(Noun):
    """The operations on accounts; those on other users raise Refusal unless the actor is an admin.

    Signing in and out, registering and changing one's password are the web's own: they begin or end sessions of browsers.
    """

    def me(self) -> Me:
        """Return the actor, and what these credentials allow."""
        return Me.of(self._actor)

    def list_own_bots(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[OwnBot]:
        """List the actor's bots by game and name, each with its newest version and the one that can be entered."""
        return listed(author_overview.bots_of(self._store, self._actor), limit=limit, cursor=cursor)

    def show_quotas(self) -> Quotas:
        """Return how many qualifications, challenges and comparisons the actor has begun in 24 hours, and how many are possible."""
        return author_overview.quotas(self._store, self._actor, self.context.rules)

    @writes
    def end_session(self, session_id: str) -> None:
        """Sign a browser of the actor out.  Raises Refusal for an unknown session."""
        sessions.end_one(self._store, self._actor, session_id)

    def list_tokens(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[TokenRow]:
        """List the actor's tokens, the oldest first."""
        return listed(tokens.listing(self._store, self._actor), limit=limit, cursor=cursor)

    @writes
    def create_token(
        self, *, label: str, scopes: Sequence[str] = (), expires: str = token_expiry.STANDARD
    ) -> NewApiToken:
        """Create a token of the actor; the answer is the only place where it can be read.  Raises Refusal.

        Args:
            label: what it is for
            scopes: some of the actor's; all of them if empty
            expires: days (30d), hours (12h), a date in UTC (2027-01-31), or never
        """
        return tokens.create(self._store, self._actor, label, scopes, expires=expires)

    @writes
    def revoke_token(self, token_id: str) -> None:
        """Revoke a token of the actor, an admin any: the next request with it is refused.  Raises Refusal."""
        tokens.revoke(self._store, self._actor, token_id)

    def list_users(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[UserRow]:
        """List all users by name."""
        return listed(users.listing(self._store, self._actor), limit=limit, cursor=cursor)

    @writes
    def create_user(
        self, *, name: str, role: Role = "author", password: str | None = None
    ) -> UserWithPassword:
        """Create an account; the answer has the password if none was given and one was made up.  Raises Refusal."""
        made = password or passwords.generate()
        row = users.create(self._store, self._actor, name, role, made)
        return UserWithPassword(**asdict(row), password=None if password else made)

    @writes
    def change_role(self, name: str, *, role: Role) -> UserRow:
        """Change the role of a user, which bounds all of its credentials from now on.  Raises Refusal."""
        return users.set_role(self._store, self._actor, name, role)

    @writes
    def reset_user(self, name: str, *, password: str | None = None) -> UserWithPassword:
        """Set a new password of a user, end all its sessions and revoke all its tokens.  Raises Refusal."""
        made = password or passwords.generate()
        row = users.reset(self._store, self._actor, name, made)
        return UserWithPassword(**asdict(row), password=None if password else made)

    @writes
    def sign_out_user(self, name: str) -> SignedOut:
        """End all sessions of a user in browsers; tokens and password stay.  Raises Refusal."""
        return SignedOut(name, users.end_sessions(self._store, self._actor, name))

    @writes
    def invite(self, *, role: Role = "author", days: int = invitations.STANDARD_DAYS) -> NewInvitation:
        """Make an invitation that one person can register with in so many days.  Raises Refusal."""
        return invitations.invite(self._store, self._actor, role, days)

    def list_invitations(
        self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[InvitationRow]:
        """List the invitations, the newest first, those that were used or are too old included."""
        return listed(invitations.listing(self._store, self._actor), limit=limit, cursor=cursor)

    @writes
    def revoke_invitation(self, invitation_id: str) -> None:
        """Revoke an unused invitation.  Raises Refusal."""
        invitations.revoke(self._store, self._actor, invitation_id)

    def read_audit(
        self,
        *,
        who: str = "",
        action: str = "",
        subject: str = "",
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> Pages[AuditRow]:
        """List what people did, the newest first.

        Args:
            who: only of this user
            action: only actions that begin so, such as `tournament.`
            subject: only subjects that begin so, such as `user/ada`
            limit: rows of a page
            cursor: `next` of the page before
        """
        wanted = Filter(who, action, subject)

        def read(before: int | None, most: int) -> tuple[AuditRow, ...]:
            return audit_log.listing(self._store, self._actor, before=before, most=most, wanted=wanted)

        return newest_first(read, attrgetter("id"), limit=limit, cursor=cursor)

"""Registration, open, by invitation, or closed."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import update

from arena.accounts import audit_log, invitations, users
from arena.accounts.actors import OPERATOR
from arena.core.errors import Refusal
from arena.storage import Store
from arena.storage.schema import Invitation
from tests.accounts.test_users import PASSWORD, add, refused


def test_open_registration_makes_an_author(store: Store) -> None:
    assert invitations.register(store, "open", "ada", PASSWORD).role == "author"
    (row,) = audit_log.listing(store, OPERATOR)
    assert (row.actor, row.action, row.subject) == ("ada", "user.register", "user/ada")


def test_closed_registration_is_closed_with_an_invitation_too(store: Store) -> None:
    made = invitations.invite(store, OPERATOR)
    for invitation in (None, made.invitation):
        with refused("registration_closed"):
            invitations.register(store, "closed", "ada", PASSWORD, invitation)


def test_invitation_lets_one_person_in_with_its_role(store: Store) -> None:
    made = invitations.invite(store, OPERATOR, "organiser")
    assert invitations.register(store, "invitation", "olga", PASSWORD, made.invitation).role == "organiser"
    with refused("invitation_unknown"):
        invitations.register(store, "invitation", "bob", PASSWORD, made.invitation)


def test_registration_that_fails_leaves_the_invitation_as_it_was(store: Store) -> None:
    made = invitations.invite(store, OPERATOR)
    add(store, "bob")
    for name, password, code in (("bob", PASSWORD, "name_taken"), ("ada", "weak", "password_weak")):
        with refused(code):
            invitations.register(store, "invitation", name, password, made.invitation)
    invitations.register(store, "invitation", "ada", PASSWORD, made.invitation)


def test_old_invitation_is_unknown(store: Store) -> None:
    made = invitations.invite(store, OPERATOR)
    with store.write() as session:
        session.execute(update(Invitation).values(expires_at=1.0))
    with refused("invitation_unknown"):
        invitations.register(store, "invitation", "ada", PASSWORD, made.invitation)


def test_the_uninvited_do_not_learn_which_names_are_taken(store: Store) -> None:
    add(store, "ada")
    for name in ("ada", "bob"):
        with refused("invitation_missing"):
            invitations.register(store, "invitation", name, PASSWORD)
        with refused("invitation_unknown"):
            invitations.register(store, "invitation", name, PASSWORD, "invite_" + "0" * 16 + "_" + "A" * 43)


@pytest.mark.parametrize("days", [0, 91])
def test_days_that_cannot_be_are_refused(store: Store, days: int) -> None:
    with refused("days_invalid"):
        invitations.invite(store, OPERATOR, days=days)


def at_once(store: Store, *tries: tuple[str, str | None]) -> list[str]:
    """Register names at the same moment: the code of each refusal, or the name."""
    said: list[str] = []

    def register(name: str, invitation: str | None) -> None:
        try:
            said.append(invitations.register(store, "open", name, PASSWORD, invitation).name)
        except Refusal as refusal:
            said.append(refusal.code)

    threads = [threading.Thread(target=register, args=each) for each in tries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(said)


def test_of_two_that_take_a_name_at_once_one_gets_it(store: Store) -> None:
    assert at_once(store, ("ada", None), ("ada", None)) == ["ada", "name_taken"]


def test_of_two_that_use_an_invitation_at_once_one_gets_in(store: Store) -> None:
    made = invitations.invite(store, OPERATOR)
    said = at_once(store, ("ada", made.invitation), ("bob", made.invitation))
    assert "invitation_unknown" in said
    assert len(users.listing(store, OPERATOR)) == 1

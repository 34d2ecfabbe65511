"""Submissions: from an upload to a version that can be entered, and back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots, stored_bundles
from arena.bundle_format.bundle import read_upload
from arena.competition import creation, settlement
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks, results
from arena.competition.matches.blocks import BlockMatch
from arena.competition.qualification import challenges, submissions
from arena.competition.qualification.submissions import Rules, VersionRow
from arena.core.errors import Refusal, UsageError
from arena.core.settings import Settings
from arena.reports import match_views, tournaments
from arena.storage import Store
from arena.storage.schema import Bot, Bundle, PairTotal, Tournament, Trial, Version, VersionTotal
from tests import decided_matches
from tests.bundle_format.uploads import BOT, TOML, project


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(
        store, dict.fromkeys(("lost_cities", "land_unter", "lifeboats"), decided_matches.NAMES)
    )
    return decided_matches.person(store, "ada")


@pytest.fixture
def bob(store: Store) -> Actor:
    return decided_matches.person(store, "bob")


def submit(
    store: Store,
    actor: Actor,
    bot: str = BOT,
    toml: str = TOML,
    *,
    most: int = 10,
    allowed: Collection[str] = (),
) -> VersionRow:
    upload = read_upload(project(toml, bot), "mine.zip")
    return submissions.submit(store, actor, upload, allowed=allowed, most=most)[0]


def another(number: int) -> str:
    return f"{BOT}# {number}\n"


def decide(store: Store, trial: int | None, *, at_fault: int | None = None, kind: str = "timeout") -> None:
    """Play a trial; the bot `mine` is at fault in this match of the set, if any."""
    for key in blocks.reconcile(store):
        if key.tournament_id == trial:
            block = decided_matches.claim(store, key=key)
            for match in block.matches:
                changes: dict[str, Any] = {}
                if match.match == at_fault:
                    seat = next(seat for seat, each in enumerate(match.seats) if each.bot == "mine")
                    changes["result"] = decided_matches.fault(len(match.seats), seat, kind)
                assert decided_matches.add(
                    store, block, match, decided_matches.alphabetical(match), **changes
                )
            assert blocks.finish(store, key, "anna")


def states(store: Store, actor: Actor) -> list[str]:
    """The states of all versions of `mine`, the newest first."""
    return [row.state for row in submissions.versions(store, actor, "lost_cities", "mine")]


def qualified(store: Store, actor: Actor, count: int = 1) -> None:
    for number in range(count):
        decide(store, submit(store, actor, another(number)).trial)


def refusal(call: Any, *arguments: Any, **more: Any) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        call(*arguments, **more)
    return caught.value.code, caught.value.field


def rows(store: Store) -> tuple[int, ...]:
    with store.read() as session:
        return tuple(
            session.scalar(select(func.count()).select_from(table)) or 0
            for table in (Bundle, Version, Trial, Tournament)
        )


def test_a_submission_waits_for_its_qualification_and_cannot_be_entered(store: Store, ada: Actor) -> None:
    row = submit(store, ada)
    assert (row.game, row.bot, row.version, row.state) == ("lost_cities", "mine", "1", "waiting")
    spec = TournamentSpec("lost_cities", ("mine", "random"))
    assert refusal(creation.create, store, spec) == ("not_active", "bots")
    spec = TournamentSpec("lost_cities", ("mine@1", "random"))
    assert refusal(creation.create, store, spec) == ("not_active", "bots")


def test_a_submission_that_ends_its_matches_can_be_entered(store: Store, ada: Actor) -> None:
    decide(store, submit(store, ada).trial)
    assert states(store, ada) == ["active"]
    page = tournaments.page(store, creation.create(store, TournamentSpec("lost_cities", ("mine", "random"))))
    assert [entry.bot for entry in page.entries] == ["mine", "random"]


@pytest.mark.parametrize("match", [0, 1])
def test_a_fault_in_any_match_fails_it_and_its_author_is_told_why(
    store: Store, ada: Actor, match: int
) -> None:
    decide(store, submit(store, ada).trial, at_fault=match, kind="crash")
    (row,) = submissions.versions(store, ada, "lost_cities", "mine")
    assert row.state == "failed"
    assert str(row.reason).startswith(f"It crashed in match {match + 1} of 2: too late")


def test_a_failed_version_leaves_the_active_one_in_its_place(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    decide(store, submit(store, ada).trial, at_fault=0)
    assert states(store, ada) == ["failed", "active"]
    assert bots.find(store, "lost_cities", "mine").version == "1"


def test_a_qualification_seats_every_seat_of_the_smallest_table(store: Store, ada: Actor) -> None:
    row = submit(store, ada, toml=TOML.replace("lost_cities", "lifeboats"))
    page = tournaments.page(store, row.trial or 0)
    assert [entry.bot for entry in page.entries] == ["mine", "random", "greedy"]
    assert (page.matches_total, page.pool) == (3, None)


def test_a_manifest_that_lies_about_talk_fails(store: Store, ada: Actor) -> None:
    row = submit(store, ada, toml=f"{TOML.replace('lost_cities', 'lifeboats')}talks = true\n")
    decide(store, row.trial)
    (row,) = submissions.versions(store, ada, "lifeboats", "mine")
    assert row.state == "failed"
    assert "its Hello that it does not" in str(row.reason)


def test_a_new_version_supersedes_the_old_one_when_it_has_qualified(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    row = submit(store, ada)
    assert states(store, ada) == ["waiting", "active"]
    decide(store, row.trial)
    assert states(store, ada) == ["active", "superseded"]


def test_of_two_versions_that_qualify_in_any_order_the_newer_is_active(store: Store, ada: Actor) -> None:
    first, second = submit(store, ada, another(1)), submit(store, ada, another(2))
    decide(store, second.trial)
    decide(store, first.trial)
    assert states(store, ada) == ["active", "superseded"]


def test_one_upload_is_a_version_in_each_of_its_games(store: Store, ada: Actor) -> None:
    upload = read_upload(project(TOML.replace('["lost_cities"]', '["lost_cities", "land_unter"]')), "a.zip")
    found = submissions.submit(store, ada, upload, allowed=(), most=10)
    assert [(row.game, row.version) for row in found] == [("lost_cities", "1"), ("land_unter", "1")]
    assert rows(store)[0] == 1
    assert stored_bundles.read(store, upload.sha256) == upload.data


def test_a_refused_submission_leaves_nothing(store: Store, ada: Actor, bob: Actor) -> None:
    submit(store, ada, toml=TOML.replace("lost_cities", "land_unter"))
    before = rows(store)
    both = TOML.replace('["lost_cities"]', '["lost_cities", "land_unter"]')
    assert refusal(submit, store, bob, another(1), both) == ("name_taken", "name")
    assert rows(store) == before
    with store.read() as session:
        assert session.scalar(select(Bot.id).where(Bot.game == "lost_cities", Bot.name == "mine")) is None


@pytest.mark.parametrize("name", ["greedy", "mine"])
def test_the_name_of_another_bot_is_taken(store: Store, ada: Actor, bob: Actor, name: str) -> None:
    submit(store, ada)
    toml = TOML.replace('"mine"', f'"{name}"')
    assert refusal(submit, store, bob, another(1), toml) == ("name_taken", "name")


def test_the_same_upload_is_no_new_version(store: Store, ada: Actor) -> None:
    submit(store, ada)
    assert refusal(submit, store, ada) == ("already_submitted", "upload")


def test_packages_are_those_of_the_operator(store: Store, ada: Actor) -> None:
    toml = f'{TOML}requires = ["numpy"]\n'
    assert refusal(submit, store, ada, BOT, toml) == ("package_not_allowed", "requires")
    assert submit(store, ada, BOT, toml, allowed=("numpy",)).state == "waiting"


def test_packages_that_are_offered_but_not_installed_are_refused_with_those_that_are_there(
    store: Store, ada: Actor
) -> None:
    allowed = Rules.of(Settings(allowed_packages="numpy, none-of-that-name")).packages
    toml = f'{TOML}requires = ["none-of-that-name"]\n'
    with pytest.raises(Refusal, match="requires 'none-of-that-name': this arena has numpy; do without it"):
        submit(store, ada, BOT, toml, allowed=allowed)


def test_numpy_is_offered_unless_the_operator_says_otherwise() -> None:
    assert "numpy" in Rules.of(Settings()).packages
    assert Rules.of(Settings(allowed_packages="")).packages == frozenset()


def test_uploads_have_a_quota(store: Store, ada: Actor, bob: Actor) -> None:
    submit(store, ada, another(1), most=2)
    submit(store, ada, another(2), most=2)
    assert refusal(submit, store, ada, another(3), most=2) == ("quota_exhausted", "")
    submit(store, bob, toml=TOML.replace('"mine"', '"his"'), most=2)


def test_a_token_without_the_scope_cannot_submit(store: Store, ada: Actor) -> None:
    reader = Actor(ada.user_id, ada.name, ada.role, frozenset({"read"}))
    assert refusal(submit, store, reader)[0] == "scope_missing"


def test_withdrawing_and_restoring(store: Store, ada: Actor) -> None:
    qualified(store, ada, 2)
    assert submissions.withdraw(store, ada, "lost_cities", "mine").version == "2"
    assert states(store, ada) == ["withdrawn", "superseded"]
    spec = TournamentSpec("lost_cities", ("mine", "random"))
    assert refusal(creation.create, store, spec) == ("not_active", "bots")
    submissions.restore(store, ada, "lost_cities", "mine@1", most=10)
    assert states(store, ada) == ["withdrawn", "active"]
    submissions.restore(store, ada, "lost_cities", "mine@2", most=10)
    assert states(store, ada) == ["active", "superseded"]
    assert refusal(submissions.restore, store, ada, "lost_cities", "mine", most=10)[0] == "wrong_state"
    submissions.restore(store, ada, "lost_cities", "mine@1", most=10)
    assert states(store, ada) == ["superseded", "active"]


def test_a_failed_version_that_is_restored_is_tried_again(store: Store, ada: Actor) -> None:
    first = submit(store, ada)
    decide(store, first.trial, at_fault=1)
    row = submissions.restore(store, ada, "lost_cities", "mine", most=10)
    assert (row.state, row.reason) == ("waiting", None)
    assert row.trial != first.trial
    decide(store, row.trial)
    assert states(store, ada) == ["active"]


def test_a_version_that_is_withdrawn_in_its_trial_stays_withdrawn_and_keeps_its_verdict(
    store: Store, ada: Actor
) -> None:
    trial = submit(store, ada).trial
    submissions.withdraw(store, ada, "lost_cities", "mine")
    decide(store, trial)
    assert states(store, ada) == ["withdrawn"]
    assert submissions.restore(store, ada, "lost_cities", "mine", most=0).state == "active"


def test_a_suspended_version_is_brought_back_by_an_admin_alone(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    with store.write() as session:
        session.execute(update(Version).where(Version.state == "active").values(state="suspended"))
        session.execute(update(Version).where(Version.program.like("house:%")).values(state="active"))
    assert refusal(submissions.restore, store, ada, "lost_cities", "mine", most=10)[0] == "wrong_state"
    assert submissions.restore(store, OPERATOR, "lost_cities", "mine", most=0).state == "active"


def test_a_version_that_is_restored_in_its_trial_is_not_tried_twice(store: Store, ada: Actor) -> None:
    trial = submit(store, ada).trial
    submissions.withdraw(store, ada, "lost_cities", "mine")
    assert submissions.restore(store, ada, "lost_cities", "mine", most=0).trial == trial
    decide(store, trial)
    assert states(store, ada) == ["active"]


def test_a_bot_is_its_owners_business(store: Store, ada: Actor, bob: Actor) -> None:
    qualified(store, ada)
    for call in (submissions.withdraw, submissions.versions):
        assert refusal(call, store, bob, "lost_cities", "mine") == ("not_yours", "bot")
    assert refusal(submissions.restore, store, bob, "lost_cities", "mine", most=9) == ("not_yours", "bot")
    assert refusal(submissions.withdraw, store, ada, "lost_cities", "greedy") == ("not_yours", "bot")
    assert refusal(submissions.withdraw, store, ada, "lost_cities", "nobody") == ("bot_unknown", "bot")
    admin = decided_matches.person(store, "eve", "admin")
    assert submissions.withdraw(store, admin, "lost_cities", "mine").state == "withdrawn"


def test_what_the_platform_could_not_play_is_no_fault_and_can_be_tried_again(
    store: Store, ada: Actor
) -> None:
    trial = submit(store, ada).trial
    for key in blocks.reconcile(store):
        block = decided_matches.claim(store, key=key)
        for match in block.matches:
            for attempt in range(results.MAX_ATTEMPTS):
                settlement.fail_match(store, key.tournament_id, match.set, match.match, attempt, "no sandbox")
    (row,) = submissions.versions(store, ada, "lost_cities", "mine")
    assert (row.state, row.trial) == ("failed", trial)
    assert "could not play match 1 of 2 (no sandbox)" in str(row.reason)


def test_a_trial_is_in_no_list_and_counts_for_no_table(store: Store, ada: Actor) -> None:
    row = submit(store, ada)
    decide(store, row.trial)
    assert tournaments.listing(store) == ()
    assert match_views.recent(store) == ()


def test_what_was_done_is_in_the_audit_log(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    submissions.withdraw(store, ada, "lost_cities", "mine")
    submissions.restore(store, ada, "lost_cities", "mine", most=10)
    challenges.challenge(store, ada, "lost_cities", "mine", ["greedy"], most=1)
    assert [(row.actor, row.action) for row in audit_log.listing(store, OPERATOR)[:4]] == [
        ("ada", "bot.challenge"),
        ("ada", "bot.restore"),
        ("ada", "bot.withdraw"),
        ("ada", "bot.submit"),
    ]


def mine(match: BlockMatch) -> list[str]:
    return [f"{seat.bot}@{seat.version}" for seat in match.seats]


def test_a_challenge_is_a_set_that_counts_for_no_table(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    number = challenges.challenge(store, ada, "lost_cities", "mine", ["greedy"], most=1)
    page = tournaments.page(store, number)
    assert (page.matches_total, page.pool) == (2, None)
    seats = [mine(match) for block, match in decided_matches.matches(store) if block.tournament_id == number]
    assert sorted(seats) == [["greedy@1", "mine@1"], ["mine@1", "greedy@1"]]


def test_an_author_challenges_with_qualified_versions_of_his_own_only(
    store: Store, ada: Actor, bob: Actor
) -> None:
    qualified(store, ada, 2)
    submit(store, ada)
    challenge = challenges.challenge
    challenge(store, ada, "lost_cities", "mine@1", ["mine@2"], most=9)
    assert refusal(challenge, store, ada, "lost_cities", "mine@3", ["greedy"], most=9)[0] == "wrong_state"
    assert refusal(challenge, store, bob, "lost_cities", "mine", ["greedy"], most=9)[0] == "not_yours"
    assert refusal(challenge, store, bob, "lost_cities", "greedy", ["mine"], most=9)[0] == "not_yours"
    with pytest.raises(UsageError, match="named twice"):
        challenge(store, ada, "lost_cities", "mine", ["mine"], most=9)
    with pytest.raises(UsageError, match="seats"):
        challenge(store, ada, "lost_cities", "mine", ["greedy", "random"], most=9)


def test_challenges_have_a_quota(store: Store, ada: Actor) -> None:
    qualified(store, ada)
    challenges.challenge(store, ada, "lost_cities", "mine", ["greedy"], most=1)
    assert refusal(challenges.challenge, store, ada, "lost_cities", "mine", ["random"], most=1) == (
        "quota_exhausted",
        "",
    )


def test_the_bots_of_one_owner_do_not_lift_each_other_in_the_public_table(store: Store, ada: Actor) -> None:
    for name in ("mine", "other"):
        decide(store, submit(store, ada, toml=TOML.replace('"mine"', f'"{name}"')).trial)
    spec = TournamentSpec("lost_cities", ("mine", "other", "greedy"))
    page = tournaments.page(store, creation.create(store, spec))
    decided_matches.play(store, page.id)
    with store.read() as session:
        pairs = session.execute(select(PairTotal.scope, func.count()).group_by(PairTotal.scope)).all()
        each = session.execute(
            select(VersionTotal.matches, func.count())
            .where(VersionTotal.scope == "pool/1")
            .group_by(VersionTotal.matches)
            .order_by(VersionTotal.matches)
        ).all()
    assert {scope: count for scope, count in pairs if scope in {"pool/1", f"tournament/{page.id}"}} == {
        "pool/1": 2,
        f"tournament/{page.id}": 3,
    }
    assert [tuple(row) for row in each] == [(2, 2), (4, 1)]

"""Challenges: one's own bot against others on the arena, for no table: to see how it does."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bot_registry.bot_version import BotVersion
from arena.competition import trial_kinds
from arena.competition.qualification import submissions, trials
from arena.core.errors import Refusal, UsageError
from arena.storage import Store


def challenge(store: Store, actor: Actor, game: str, mine: str, others: Sequence[str], *, most: int) -> int:
    """Order a set of an own bot against others, every seat once; return the tournament's id.

    `mine` may name any version that has qualified, `mine@2`, and so may the others that are one's own; those of other
    owners play their active version.  `most` is how many one author may begin in a day.  Raises Refusal.
    """
    actor.require("bots")
    with store.write() as session:
        entries = [submissions.find_own(session, actor, game, mine)]
        entries += [_opponent(session, actor, game, name) for name in others]
        variant = trials.common_variant(entries)
        trials.check_quota(session, trial_kinds.CHALLENGE, actor.name, 1, most)
        try:
            tournament_id = trials.begin(session, trial_kinds.CHALLENGE, actor.name, entries, variant=variant)
        except UsageError as error:
            raise Refusal("challenge_invalid", str(error), field="others") from error
        audit_log.note(
            session,
            actor.name,
            "bot.challenge",
            f"bot/{game}/{entries[0].bot}",
            tournament=tournament_id,
            bots=[f"{entry.bot}@{entry.version}" for entry in entries],
        )
        return tournament_id


def _opponent(session: Session, actor: Actor, game: str, name: str) -> BotVersion:
    found = bots.find_in(session, game, name)
    if found.owner is not None and found.owner == actor.name:
        return submissions.find_own(session, actor, game, name)
    bots.check_enterable(session, found, superseded=False)
    return found

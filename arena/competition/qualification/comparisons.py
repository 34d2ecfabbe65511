"""Comparisons: a test (SPRT) of two versions of one's own bot on the arena, for no table: which is the stronger."""

from __future__ import annotations

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.competition import trial_kinds
from arena.competition.qualification import submissions, trials
from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.games import registry
from arena.ratings.sprt import check_sets
from arena.scheduling.stop_rules import Sprt
from arena.storage import Store

MAX_SETS = 500
_SEATS = 2
STANDARD_ELO1 = 50.0
"""With `MAX_SETS` a test against 0 is undecided in 1 to 2 of 100, and takes 140 to 160 sets on average (`tests/ratings/test_sprt_price.py`)."""


def compare(
    store: Store,
    actor: Actor,
    game: str,
    name: str,
    first: str,
    second: str,
    *,
    stop: Sprt,
    sets: int,
    most: int,
) -> int:
    """Order a test of two versions of an own bot, of at most `sets` sets; return the tournament's id.

    The versions may be superseded ones that have qualified.  `most` is how many one author may begin in a day.  Raises Refusal.
    """
    actor.require("bots")
    try:
        check_sets(sets)
    except UsageError as error:
        raise Refusal("sets_invalid", str(error), field="sets") from error
    if not any(_SEATS in counts for counts in registry.find(game).variants.values()):
        raise Refusal(
            "comparison_invalid",
            say(
                "game {game!r}: has no table of two seats, so that two versions cannot be compared; challenge or race them",
                game=game,
            ),
            field="game",
        )
    bot = name.partition("@")[0]
    with store.write() as session:
        entries = [
            submissions.find_own(session, actor, game, f"{bot}@{version}") for version in (first, second)
        ]
        trials.check_quota(session, trial_kinds.COMPARISON, actor.name, 1, most)
        variant = trials.common_variant(entries)
        try:
            tournament_id = trials.begin(
                session, trial_kinds.COMPARISON, actor.name, entries, variant=variant, stop=stop, cycles=sets
            )
        except UsageError as error:
            raise Refusal("comparison_invalid", str(error), field="second") from error
        audit_log.note(
            session,
            actor.name,
            "bot.compare",
            f"bot/{game}/{bot}",
            tournament=tournament_id,
            bots=[f"{entry.bot}@{entry.version}" for entry in entries],
        )
        return tournament_id

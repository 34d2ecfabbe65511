"""The tables.

    bot ─< version ─< entry >─ tournament ─< block
     └─ bot_token │   └─< absence >─┴────────< match_result ── record
                  │                 ├────────< attempt └─< match_output, match_notes
                  │                 ├────────< match_chances, match_drama, choice_chances
      bundle …… program             └── trial
       └─< bundle_weights >─ weights ─< weights_part
    user ─< bot, weights, api_token, web_session, sign_in_link, invitation     audit: what people did
    pool ─< rating, rating_point >─ version      pair_total, version_total: sums over the results of one scope
     └─< ladder ─< tournament ─< decision         set_total: sums over the results of one set

    playing_style: how a version plays, measured from its newest open matches
    daily_puzzle: positions of open matches to solve; puzzle_answer: what readers answered

A scope is one tournament (`tournament/7`) or one pool (`pool/3`): what its Elo table is computed from.
There is no row per planned match: what a tournament plays follows from its secret, its entries
and its decisions (`arena.scheduling`); rows come with results.  Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from arena.storage.schema.account_tables import ApiToken, Audit, Invitation, SignInLink, User, WebSession
from arena.storage.schema.base_tables import Base, Meta
from arena.storage.schema.bot_tables import (
    Bot,
    BotToken,
    Bundle,
    BundleWeights,
    Version,
    Weights,
    WeightsPart,
)
from arena.storage.schema.puzzle_tables import DailyPuzzle, PuzzleAnswer
from arena.storage.schema.rating_tables import Pool, Rating, RatingPoint
from arena.storage.schema.result_tables import (
    ChoiceChances,
    MatchChances,
    MatchDrama,
    MatchNotes,
    MatchOutput,
    MatchResult,
    PairTotal,
    Record,
    SetTotal,
    StoredStyle,
    VersionTotal,
)
from arena.storage.schema.tournament_tables import (
    Absence,
    Attempt,
    Block,
    Decision,
    Entry,
    Ladder,
    Tournament,
    Trial,
)

__all__ = [
    "Absence",
    "ApiToken",
    "Attempt",
    "Audit",
    "Base",
    "Block",
    "Bot",
    "BotToken",
    "Bundle",
    "BundleWeights",
    "ChoiceChances",
    "DailyPuzzle",
    "Decision",
    "Entry",
    "Invitation",
    "Ladder",
    "MatchChances",
    "MatchDrama",
    "MatchNotes",
    "MatchOutput",
    "MatchResult",
    "Meta",
    "PairTotal",
    "Pool",
    "PuzzleAnswer",
    "Rating",
    "RatingPoint",
    "Record",
    "SetTotal",
    "SignInLink",
    "StoredStyle",
    "Tournament",
    "Trial",
    "User",
    "Version",
    "VersionTotal",
    "WebSession",
    "Weights",
    "WeightsPart",
]

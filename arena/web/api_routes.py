"""The JSON API: the same data as the pages show, by the same names; accounts, and what they may write."""

from __future__ import annotations

from arena.games.registry import GAMES
from arena.web.accounts import accounts_api
from arena.web.admin import admin_api, users_api
from arena.web.bots import bots_api, profiles_api, uploads_api, weights_api
from arena.web.docs import docs_api
from arena.web.games import games_api, leaderboards_api, measures_api, ratings_api
from arena.web.live import live_api
from arena.web.matches import matches_api, records_api
from arena.web.play import play_api
from arena.web.status import status_api
from arena.web.tournaments import events_api, ladders_api, lifecycle_api, tournaments_api

_NOUNS = (
    docs_api,
    games_api,
    ratings_api,
    leaderboards_api,
    measures_api,
    tournaments_api,
    lifecycle_api,
    ladders_api,
    matches_api,
    records_api,
    events_api,
    play_api,
    live_api,
    status_api,
    bots_api,
    uploads_api,
    weights_api,
    profiles_api,
    accounts_api,
    users_api,
    admin_api,
)
ROUTES = uploads_api.unshadowed((route for noun in _NOUNS for route in noun.router.routes), GAMES)

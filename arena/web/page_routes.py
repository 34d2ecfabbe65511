"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from arena.web import admin
from arena.web.accounts import account_page, register_page, sign_in_page
from arena.web.bots import bot_page, own_bot_page, own_log_page, submit_page
from arena.web.docs import docs_page, reference_page
from arena.web.embeds import embed_page
from arena.web.games import game_page, games_page
from arena.web.home import home_page
from arena.web.live import live_page
from arena.web.matches import match_page
from arena.web.play import play_page
from arena.web.previews import preview_pages
from arena.web.puzzles import puzzle_page
from arena.web.status import status_page
from arena.web.tournaments import (
    create_page,
    ladders_page,
    manage_page,
    organiser_page,
    tournament_page,
    tournaments_page,
)
from arena.web.tv import tv_page
from arena.web.ui import language_switch

_NOUNS = (
    *(
        home_page,
        live_page,
        tv_page,  # after the page whose addresses would be names of games
        games_page,
        game_page,
        bot_page,
        tournaments_page,
        tournament_page,
        match_page,
        embed_page,
        preview_pages,
        play_page,
        puzzle_page,
        status_page,
        docs_page,
        reference_page,
        language_switch,
    ),
    *(sign_in_page, register_page, account_page, submit_page, own_bot_page, own_log_page),
    *(organiser_page, create_page, manage_page, ladders_page),
    *admin.PAGES,
)
ROUTES = tuple(route for noun in _NOUNS for route in noun.router.routes)

"""Searches: draws cards that the other hand may hold, and plays the match on from there, over and over."""

from __future__ import annotations

from arena.games.teotlatolli.house_bots._playout import evaluate, playout
from arena.sdk import run
from bots.search import Plan, SearchBot


class Search(SearchBot):
    """Chooses by information-set Monte-Carlo tree search (bots/search.py)."""

    name = "search"
    games = ("teotlatolli",)
    plan = Plan(playout, evaluate, horizon=0)


if __name__ == "__main__":
    run(Search())

"""Searches: draws hands that the rivals may hold, and plays the round on from there, over and over."""

from __future__ import annotations

from arena.games.land_unter.house_bots._playout import evaluate, playout
from arena.sdk import run
from bots.search import Plan, SearchBot


class Search(SearchBot):
    """Chooses by information-set Monte-Carlo tree search (bots/search.py)."""

    name = "search"
    games = ("land_unter",)
    plan = Plan(playout, evaluate)


if __name__ == "__main__":
    run(Search())

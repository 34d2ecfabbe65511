"""Searches: draws hands that the opponent may hold, and plays on from there, over and over."""

from __future__ import annotations

from arena.games.lost_cities.house_bots._playout import evaluate, playout
from arena.sdk import run
from bots.search import Plan, SearchBot


class Search(SearchBot):
    """Chooses by information-set Monte-Carlo tree search (bots/search.py)."""

    name = "search"
    games = ("lost_cities",)
    plan = Plan(playout, evaluate, horizon=16, exploration=0.3)


if __name__ == "__main__":
    run(Search())

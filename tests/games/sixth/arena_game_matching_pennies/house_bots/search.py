"""Searches: draws what the round may be worth, and plays the match on from there, over and over."""

from __future__ import annotations

from arena.sdk import run
from bots.search import Plan, SearchBot


class Search(SearchBot):
    """Chooses by information-set Monte-Carlo tree search (bots/search.py)."""

    name = "search"
    games = ("matching_pennies",)
    plan = Plan()


if __name__ == "__main__":
    run(Search())

"""Visibility of a bot's notes: its owner decides whether they are public."""

from __future__ import annotations

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.storage import Store


def are_public(store: Store, actor: Actor, game: str, name: str) -> bool:
    """Return whether the notes of one's own bot are public.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        return bots.own(session, actor, game, name).notes_public


def set_public(store: Store, actor: Actor, game: str, name: str, *, public: bool) -> bool:
    """Make the notes of one's own bot in public matches public, earlier ones included, or private.

    Returns the new state.  Raises Refusal.
    """
    actor.require("bots")
    with store.write() as session:
        bot = bots.own(session, actor, game, name)
        if bot.notes_public != public:
            bot.notes_public = public
            audit_log.note(session, actor.name, "bot.notes", f"bot/{bot.game}/{bot.name}", public=public)
        return public

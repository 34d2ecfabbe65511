"""Whether everybody may read what a bot notes beside its answers: its owner says so."""

from __future__ import annotations

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.storage import Store


def are_public(store: Store, actor: Actor, game: str, name: str) -> bool:
    """Return whether everybody may read the notes of one's own bot.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        return bots.own(session, actor, game, name).notes_public


def set_public(store: Store, actor: Actor, game: str, name: str, *, public: bool) -> bool:
    """Let everybody read the notes of one's own bot in its open matches, earlier ones included, or no longer.

    Returns what is the case now.  Raises Refusal.
    """
    actor.require("bots")
    with store.write() as session:
        bot = bots.own(session, actor, game, name)
        if bot.notes_public != public:
            bot.notes_public = public
            audit_log.note(session, actor.name, "bot.notes", f"bot/{bot.game}/{bot.name}", public=public)
        return public

"""A stranger's bot, uploaded as authors do: its death is charged to it, while house bots cannot be at fault for a signal."""

from __future__ import annotations

from arena.accounts import actors, users
from arena.accounts.actors import Actor
from arena.bundle_format.bundle import read_upload
from arena.competition.qualification import submissions
from arena.storage import Store
from bench.chaos.machines import wait_for

NAME = "stranger"
_QUALIFIES_S = 60.0
_SOURCE = b"""
from arena.sdk import Bot, run

class Stranger(Bot):
    matches_at_once = 64

    def choose(self, decision):
        return decision.random.choice(decision.legal)

run(Stranger())
"""


def submit(store: Store, game: str, slowness: float) -> None:
    """Upload the bot, and wait until it has qualified.  Raises MachineError."""
    with store.write() as session:
        user = users.add_in(session, "author", "author", None)
        session.flush()
        author = Actor(user.id, user.name, user.role, actors.scopes_of(user.role))
    upload = read_upload(_SOURCE, f"{NAME}.py", game=game, name=NAME)
    submissions.submit(store, author, upload, allowed=(), most=1)

    def is_active() -> bool:
        return any(row.state == "active" for row in submissions.versions(store, author, game, NAME))

    wait_for(is_active, "the uploaded bot qualifies", _QUALIFIES_S * slowness, 0.2)

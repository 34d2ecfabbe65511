"""The API's models of what admins look at: queues, workers, referees, faults."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arena.web.http.response_model import Model

_AT = "Seconds since the epoch, UTC."


class Queue(Model):
    """A queue of jobs."""

    name: str = Field(description="blocks or ratings.", examples=["blocks"])
    waiting: int = Field(description="Jobs that wait.", examples=[3])
    running: int = Field(description="Jobs that run.", examples=[2])
    failed: int = Field(description="Jobs that failed in the last hour.", examples=[0])
    oldest_at: float | None = Field(description=f"When the oldest that waits was queued. {_AT}")


class FailedJob(Model):
    """A job that ended with an error, or was refused."""

    id: str = Field(description="Its id.", examples=["block-7-3"])
    queue: str = Field(description="Its queue.", examples=["blocks"])
    work: str = Field(description="What it was to do.", examples=["play_next_block()"])
    failed_at: float | None = Field(description=_AT)
    reason: str = Field(description="The error in one line.", examples=["ConnectionError: refused"])
    trace: str = Field(description="Where it happened.")
    refused: bool = Field(
        description="Whether it is none of the arena's: it was never run, and cannot be tried again.",
        examples=[False],
    )


class Backlog(Model):
    """The blocks that are still to be played of tournaments that run."""

    free: int = Field(description="Nobody plays them yet.", examples=[12])
    held: int = Field(description="Workers play them.", examples=[2])
    resting: int = Field(description="They rest until a bot is there.", examples=[0])


class Queues(Model):
    """What is in the queue, and what has failed."""

    queues: list[Queue] = Field(description="Every queue.")
    backlog: Backlog = Field(description="What the store says is to be played: it alone is the truth.")
    failed: list[FailedJob] = Field(description="The jobs that failed in the last hour, the newest first.")


class HeldBlock(Model):
    """A block that a worker plays."""

    tournament_id: int = Field(description="Its tournament.", examples=[7])
    tournament: str = Field(description="The tournament's name.", examples=["Spring Cup"])
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    block: int = Field(description="Its number, from 0.", examples=[3])
    first_set: int = Field(description="Its first set, from 0.", examples=[12])
    sets: int = Field(description="How many sets it has.", examples=[4])
    done: int = Field(description="Matches with a result.", examples=[5])
    matches: int = Field(description="Matches in all.", examples=[8])
    lease_until: float = Field(description=f"Until when the worker holds it, if it says nothing more. {_AT}")


class Worker(Model):
    """A worker that lives."""

    name: str = Field(description="Its name: machine and process.", examples=["arena-1-4711"])
    state: str = Field(description="idle or busy, as the queue knows it.", examples=["busy"])
    job: str | None = Field(description="The job that it took last, if it runs.", examples=["block-7-3"])
    born_at: float | None = Field(description=f"When it began. {_AT}")
    seen_at: float | None = Field(description=f"Its last sign of life. {_AT}")
    done: int = Field(description="Jobs that it has done.", examples=[120])
    failed: int = Field(description="Jobs that ended with an error.", examples=[0])
    working_s: float = Field(description="Seconds that it has worked.", examples=[512.5])
    blocks: list[HeldBlock] = Field(description="The blocks that it plays.")


class Workers(Model):
    """Who works."""

    workers: list[Worker] = Field(description="Those that have shown a sign of life in the last ten seconds.")
    lost: list[HeldBlock] = Field(
        description="Blocks whose worker shows none: they are free again when its lease is over."
    )


class Referee(Model):
    """A referee that was there in the last hour."""

    name: str = Field(description="Its name.", examples=["unix:/run/arena/control.sock"])
    present: bool = Field(description="Whether it is there now.")
    silent_s: float = Field(description="Seconds since its registrar last spoke of it.", examples=[0.4])
    address: str = Field(description="Where bots reach it from elsewhere; empty if nowhere.")
    protection: str = Field(
        description="What keeps hosted bots from doing harm there: `full: …`, `partial: …` or `none: …`."
    )
    bots: int = Field(description="Bots that have connected to it by themselves.", examples=[4])


class Minute(Model):
    """What ended in a minute."""

    at: float = Field(description=f"Its begin. {_AT}")
    matches: int = Field(description="Matches that ended.", examples=[250])
    faults: int = Field(description="How many of these by a fault.", examples=[1])


class Fault(Model):
    """A match that ended by a fault."""

    id: int = Field(description="Counts up with time.", examples=[4711])
    at: float = Field(description=_AT)
    tournament_id: int = Field(description="Its tournament.", examples=[7])
    tournament: str = Field(description="The tournament's name.", examples=["Spring Cup"])
    game: str = Field(description="The game's id.", examples=["lost_cities"])
    set: int = Field(description="The set, from 0.", examples=[3])
    match: int = Field(description="The match of the set, from 0.", examples=[1])
    seat: int = Field(description="The seat at fault, from 0.", examples=[0])
    bot: str = Field(description="Who sat there.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["2"])
    kind: str = Field(description="illegal action, timeout, crash or protocol.", examples=["timeout"])
    message: str | None = Field(description="What was wrong; null while the match is not public.")
    incident: str | None = Field(
        description="Names what the fault came of, if that may have ended other matches, too: one death of a process, one lost connection.",
        examples=["8c1f0a92d3b44e57"],
    )
    incident_matches: int = Field(
        description="How many matches that has ended; 0 without one.", examples=[11]
    )


class FaultTally(Model):
    """How often a version was at fault among the last 500 faults."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["2"])
    kinds: dict[str, int] = Field(description="By kind.", examples=[{"timeout": 3}])


class Faults(Model):
    """The newest faults, and whose they are."""

    faults: list[Fault] = Field(description="The newest first.")
    tally: list[FaultTally] = Field(description="Who was at fault most often, first.")


class Suspension(Model):
    """A version that is suspended."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["2"])
    owner: str | None = Field(description="Whose it is; null for the house.", examples=["ada"])
    reason: str = Field(description="Why it is suspended.")
    ends_in_s: float | None = Field(
        description="For a house bot: after how many seconds of the arena's uptime it ends by itself; null: an admin ends it."
    )


class InvitationRow(Model):
    """An invitation, without what makes it one."""

    id: str = Field(description="Its public id.", examples=["2b19c42bf0c904cf"])
    role: str = Field(description="The role that it gives.", examples=["author"])
    state: Literal["open", "used", "expired"] = Field(description="Whether it can still be used.")
    used_by: str | None = Field(description="Who has registered with it.", examples=["ada"])
    created_at: float = Field(description=_AT)
    expires_at: float = Field(description=_AT)


class SignedOut(Model):
    """A user who was signed out everywhere."""

    name: str = Field(description="The user.", examples=["ada"])
    sessions: int = Field(description="In how many browsers they were signed in.", examples=[2])

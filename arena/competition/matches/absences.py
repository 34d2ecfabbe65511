"""Absences: the bots that a tournament waits for, and the forfeits of those that do not come.

    a match is postponed ──▶ noted, with the uptime ──▶ its block rests, and is tried again … ──▶ older than the limit: forfeit
                               └── a match of the bot begins: cleared, the blocks that rest are tried at once

Time is the platform's uptime: no bot can connect to an arena that does not run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import delete, exists, func, select, tuple_, update
from sqlalchemy.orm import Session

from arena.bot_registry.bot_version import BotVersion
from arena.competition.matches import uptime
from arena.competition.matches.blocks import Block, BlockMatch
from arena.games import registry
from arena.match.faults import FaultKind, SeatFault
from arena.match.forfeit import forfeit as forfeited
from arena.match.record import Participant, to_json
from arena.match.session import Session as MatchSession
from arena.net.address import parse
from arena.referee_client import Endpoint, Source
from arena.storage import Store
from arena.storage.schema import Absence, BotToken, Version
from arena.storage.schema import Block as BlockRow
from arena.storage.upserts import insert_missing

_MIN_PAUSE_S = 5.0
_LAST_PAUSE_S = 1.0
_SHARE = 10
"""The share of one worker's time that looking for absent bots takes at most, as a divisor."""
_MAX_REASON_CHARS = 300

_KEY = ("tournament_id", "version_id")
_RESTING = (BlockRow.done.is_(False), BlockRow.worker.is_(None), BlockRow.lease_until.is_not(None))


def note(store: Store, tournament_id: int, version_ids: Collection[int]) -> dict[int, float]:
    """Take note that these bots were not there; gives for how many seconds of uptime each has been away."""
    with store.read() as session:
        now, since = uptime.read(session), _since(session, tournament_id)
    missing = sorted(set(version_ids) - since.keys())
    if missing:
        with store.write() as session:
            now = uptime.read(session)
            rows = [
                {"tournament_id": tournament_id, "version_id": version_id, "since_uptime_s": now}
                for version_id in missing
            ]
            insert_missing(store.dialect, Absence, _KEY).run_all(session.connection(), rows)
            since = _since(session, tournament_id)
    return {version_id: now - since.get(version_id, now) for version_id in version_ids}


def waiting_for(session: Session, tournament_id: int, entries: Sequence[BotVersion]) -> tuple[str, ...]:
    """Name the entries whose matches wait for them, `name@version`."""
    noted = _since(session, tournament_id)
    return tuple(f"{entry.bot}@{entry.version}" for entry in entries if entry.version_id in noted)


def clear(store: Store, tournament_id: int, version_ids: Collection[int]) -> None:
    """Take note that these bots are there: their blocks need not rest, those of other tournaments neither."""
    noted = (Absence.tournament_id == tournament_id, Absence.version_id.in_(version_ids))
    with store.read() as session:
        if not session.scalar(select(exists().where(*noted))):
            return
    with store.write() as session:
        waiting = select(Absence.tournament_id).where(Absence.version_id.in_(version_ids))
        tournaments = set(session.scalars(waiting))
        session.execute(delete(Absence).where(*noted))
        _wake(session, tournaments)


def wake(store: Store, token_id: str) -> None:
    """Release the blocks that wait for the bot of a token, which has connected.

    Whether it plays shows then; until a match of it begins its absence goes on.
    """
    versions = select(Version.id).join(BotToken, BotToken.bot_id == Version.bot_id)
    waiting = select(Absence.tournament_id).where(
        Absence.version_id.in_(versions.where(BotToken.id == token_id))
    )
    with store.read() as session:
        tournaments = set(session.scalars(waiting))
    if tournaments:
        with store.write() as session:
            _wake(session, tournaments)


def forget(store: Store) -> None:
    """Restart all absences from zero: there was no referee to which a bot could have been connected."""
    with store.read() as session:
        if not session.scalar(select(exists(select(Absence.version_id)))):
            return
    with store.write() as session:
        session.execute(delete(Absence))


def pause_s(store: Store, *, left_s: float, looked_s: float) -> float:
    """Return for how many seconds a block with absent bots should rest.

    `left_s` is the uptime that is left until one of them forfeits, `looked_s` how long it took to learn that they are
    not there.  The more blocks rest, the longer each does: else a large tournament would keep the workers from others.
    """
    with store.read() as session:
        resting = session.scalar(select(func.count()).select_from(BlockRow).where(*_RESTING)) or 0
    pause = max(_MIN_PAUSE_S, _SHARE * looked_s * (resting + 1))
    return max(_LAST_PAUSE_S, min(pause, left_s))


def forfeit(block: Block, match: BlockMatch, seat: int, *, limit_s: float, reason: str) -> str:
    """Write the record of a match that a seat loses since its bot was away for too long.

    Nobody waits for a hosted bot: it was there, and would not play this game.
    """
    game = registry.find(block.game)
    session = MatchSession(
        game,
        game.setup(len(match.seats), variant=block.variant, options=block.options),
        match=match.id,
        seed=match.seed,
        participants=[Participant(each.bot, each.version) for each in match.seats],
        time=block.time,
    )
    if match.seats[seat].hosted:
        return to_json(forfeited(session, SeatFault(seat, FaultKind.PROTOCOL, reason)))
    why = public(reason, match.seats[seat].source)
    message = f"was not connected for {_duration(limit_s)}: {why}"
    return to_json(forfeited(session, SeatFault(seat, FaultKind.CRASH, message)))


def public(reason: str, source: Source) -> str:
    """Remove the address of an endpoint from a reason: it concerns its author alone."""
    if isinstance(source, Endpoint):
        target = parse(source.address).target
        host = target if target.startswith("unix:") else target.rpartition(":")[0].strip("[]")
        known = "|".join(map(re.escape, (source.address, target, host)))
        reason = re.sub(
            rf"(?<![\w.-])(?:(?:ipv4|ipv6|unix|dns):[^\s;,]+|{known})(?![\w-])", "its address", reason
        )
    return reason if len(reason) <= _MAX_REASON_CHARS else f"{reason[:_MAX_REASON_CHARS]}…"


def _since(session: Session, tournament_id: int) -> Mapping[int, float]:
    query = select(Absence.version_id, Absence.since_uptime_s).where(Absence.tournament_id == tournament_id)
    return dict(session.execute(query).all())


def _wake(session: Session, tournament_ids: Collection[int]) -> None:
    """Release the resting blocks of these tournaments; those that are being claimed at this moment are released already."""
    key = (BlockRow.tournament_id, BlockRow.number)
    resting = select(*key).where(*_RESTING, BlockRow.tournament_id.in_(tournament_ids))
    woken = update(BlockRow).where(tuple_(*key).in_(resting.with_for_update(skip_locked=True)))
    session.execute(woken.values(lease_until=None).execution_options(synchronize_session=False))


def _duration(seconds: float) -> str:
    number, unit = (seconds / 60, "minute") if seconds >= 60 and seconds % 60 == 0 else (seconds, "second")
    return f"{number:g} {unit}{'' if number == 1 else 's'}"

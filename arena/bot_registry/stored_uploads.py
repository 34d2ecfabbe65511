"""Uploads as their authors get them back: the files that a version was made of."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import select

from arena.bot_registry import bots, stored_bundles
from arena.bundle_format import bundle, manifest
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import Bundle, Version

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.storage import Store

_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload as it was sent: a `.py` file, or a zip."""

    filename: str
    data: bytes


def of_version(store: Store, actor: Actor, game: str, name: str) -> Upload:
    """Return the upload of the newest version of one's own bot, or of the one that is named, `mine@2`.  Raises Refusal."""
    actor.require("read")
    number = name.partition("@")[2]
    with store.read() as session:
        bot = bots.own(session, actor, game, name)
        query = select(Version).where(Version.bot_id == bot.id).order_by(Version.id.desc())
        if number:
            query = query.where(Version.version == number)
        version = session.scalars(query.limit(1)).one_or_none()
        sha256 = None if version is None else bundle.sha256_of(version.program)
        kept = None if sha256 is None else session.get(Bundle, sha256)
        if version is not None and sha256 is not None and kept is None:
            raise stored_bundles.not_kept(bot.name, version.version)
        if version is None or kept is None:
            raise Refusal(
                "no_upload",
                say("bot {name!r}: has no such version that was uploaded", name=name[:80]),
                field="bot",
                kind=RefusalKind.NOT_FOUND,
            )
        return _upload(f"{bot.name}-{version.version}", kept)


def _upload(stem: str, kept: Bundle) -> Upload:
    inside = bundle.files_of(kept.data, kept.sha256)
    files = {
        path.removeprefix(bundle.FOLDER): data for path, data in inside.items() if path != bundle.MANIFEST
    }
    if manifest.FILE not in files and len(files) == 1:
        ((path, data),) = files.items()
        return Upload(path, data)
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(ZipInfo(path, _EPOCH), data, ZIP_DEFLATED)
    return Upload(f"{stem}.zip", buffer.getvalue())

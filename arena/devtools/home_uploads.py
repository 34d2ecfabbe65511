"""A bot at home played as the arena plays its upload: packed, brought to a referee of one's own, started in its sandbox."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bundle_format.bundle import Bundle, read_upload
from arena.bundle_format.program_kind import kind_of
from arena.devtools import upload_file
from arena.devtools.project import read_project
from arena.devtools.project_weights import LocalWeights, find_weights
from arena.match.faults import SeatFault
from arena.referee_client import RefereeUnreachable, SeatOutput
from arena.referee_client.control_stream import (
    BundleRequested,
    ControlStream,
    News,
    RefereeOnline,
    WeightsRequested,
)

_ONLINE_S = 30.0
_LAST_WORDS_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Upload:
    """Files that a submission would bring to a referee."""

    bundle: Bundle
    weights: tuple[LocalWeights, ...] = ()


def read_project_upload(folder: Path) -> Upload | None:
    """Read what a submission of a project brings, as the arena reads it; None for a bot that no arena hosts.  Raises Refusal, UsageError."""
    if kind_of(read_project(folder).entry.name) is None:
        return None
    bundle = read_upload(*upload_file.read(folder))
    return Upload(bundle, find_weights(folder, bundle.manifest.weights))


def with_last_words(fault: SeatFault, printed: Iterable[SeatOutput]) -> SeatFault:
    """Return the fault of an upload with the end of what the bot printed: its referee leaves that out, since only the author may read it."""
    words = b"".join(each.stderr for each in printed if each.seat == fault.seat)
    said = words[-_LAST_WORDS_BYTES:].decode(errors="replace").strip()
    return replace(fault, message=f"{fault.message}; its last words: {said}") if said else fault


@contextmanager
def supplied(address: str, uploads: Sequence[Upload]) -> Iterator[str]:
    """Bring uploads to a referee when it wants them; yields the referee's protection from hosted bots.

    Raises RefereeUnreachable.
    """
    with ControlStream(address) as control:
        protection = _await_protection(control)
        over = threading.Event()
        thread = threading.Thread(target=_serve, args=(control, uploads, over), name="uploads", daemon=True)
        thread.start()
        try:
            yield protection
        finally:
            over.set()
            control.wake()
            thread.join()


def _await_protection(control: ControlStream) -> str:
    for news in control.news(_ONLINE_S):
        if isinstance(news, RefereeOnline):
            return news.protection
    raise RefereeUnreachable(f"referee {control.address}: no word from it within {_ONLINE_S:g} s")


def _serve(control: ControlStream, uploads: Sequence[Upload], over: threading.Event) -> None:
    with suppress(RefereeUnreachable):  # the caller that waits for its matches gets the error
        while not over.is_set():
            for news in control.news(1.0):
                _handle(control, uploads, news)


def _handle(control: ControlStream, uploads: Sequence[Upload], news: News) -> None:
    match news:
        case BundleRequested(sha256):
            bundles = {upload.bundle.sha256: upload.bundle for upload in uploads}
            if sha256 in bundles:
                control.send_bundle(sha256, bundles[sha256].data)
            else:
                control.report_missing_bundle(sha256, "none of the bots that play here has it")
        case WeightsRequested(sha256):
            files = {each.sha256: each for upload in uploads for each in upload.weights}
            if sha256 in files:
                control.send_weights(sha256, files[sha256].parts())

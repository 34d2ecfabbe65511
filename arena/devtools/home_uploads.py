"""A bot at home played as the arena plays its upload: packed, brought to a referee of one's own, started in its sandbox."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from arena.bundle_format.bundle import Bundle
from arena.devtools.project_weights import LocalWeights
from arena.referee_client import RefereeUnreachable
from arena.referee_client.control_stream import (
    BundleRequested,
    ControlStream,
    News,
    RefereeOnline,
    WeightsRequested,
)

_ONLINE_S = 30.0


@dataclass(frozen=True, slots=True)
class Upload:
    """What a submission would bring to a referee."""

    bundle: Bundle
    weights: tuple[LocalWeights, ...] = ()


@contextmanager
def supplied(address: str, upload: Upload) -> Iterator[str]:
    """Bring an upload to a referee when it wants it; yields the referee's protection from hosted bots.

    Raises RefereeUnreachable.
    """
    with ControlStream(address) as control:
        protection = _await_protection(control)
        over = threading.Event()
        thread = threading.Thread(target=_serve, args=(control, upload, over), name="uploads", daemon=True)
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


def _serve(control: ControlStream, upload: Upload, over: threading.Event) -> None:
    with suppress(RefereeUnreachable):  # who waits for its matches is told
        while not over.is_set():
            for news in control.news(1.0):
                _handle(control, upload, news)


def _handle(control: ControlStream, upload: Upload, news: News) -> None:
    match news:
        case BundleRequested(sha256) if sha256 == upload.bundle.sha256:
            control.send_bundle(sha256, upload.bundle.data)
        case BundleRequested(sha256):
            control.report_missing_bundle(sha256, "it is not the bot that is checked")
        case WeightsRequested(sha256):
            for each in upload.weights:
                if each.sha256 == sha256:
                    control.send_weights(sha256, each.parts())

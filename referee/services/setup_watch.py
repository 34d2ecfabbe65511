"""Checks of this referee's configuration: run at its start and every minute; problems are logged and reported to the arena."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.core.unforeseen_errors import UnforeseenErrors
from arena.operations.start_checks.part_files import warn_of_files

if TYPE_CHECKING:
    from arena.operations.start_checks.certificate_check import CertificateFile

_log = logging.getLogger(__name__)

_EVERY_S = 60.0


async def watch_setup(files: Sequence[CertificateFile], report: Callable[[tuple[str, ...]], None]) -> None:
    """Report the warnings of the environment and of certificates, whenever they change, until this is cancelled."""
    known: tuple[str, ...] = ()
    errors = UnforeseenErrors(_log)
    while True:
        with errors.survive("checking this referee's configuration"):
            found = await asyncio.to_thread(_find, files)
            for words in found:
                if words not in known:
                    _log.warning("%s", words)
            known = found
            report(found)
        await asyncio.sleep(_EVERY_S)


def _find(files: Sequence[CertificateFile]) -> tuple[str, ...]:
    return tuple(warn_of_files(os.environ, files, time.time()))

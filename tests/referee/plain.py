"""A launcher that starts uploads without a sandbox, as no arena does: for tests of what is around it."""

from __future__ import annotations

import sys

from arena.bundle_format import bundle, manifest
from referee.launch.bundle_cache import Bundles
from referee.launch.plain_launcher import PlainLauncher


class Unprotected(PlainLauncher):
    """Starts bundles as if they were our own."""

    def __init__(self, bundles: Bundles) -> None:
        super().__init__(allow_files=False)
        self._bundles = bundles

    def _arguments(self, program: str) -> list[str]:
        sha256 = bundle.sha256_of(program)
        if sha256 is None:
            return super()._arguments(program)
        folder = self._bundles.path(sha256)
        assert folder is not None
        entry = manifest.from_json((folder / bundle.MANIFEST).read_text()).entry
        return [sys.executable, str(folder / bundle.FOLDER / entry)]

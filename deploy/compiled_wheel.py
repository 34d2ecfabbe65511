"""A wheel that has both the compiled modules and their sources: for one version of Python on one kind of machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the machine code of `make setup` into the wheel; on with HATCH_BUILD_HOOKS_ENABLE=1, else the wheel is plain."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - as hatchling calls it
        """Add what git ignores.  Raises RuntimeError where nothing is compiled."""
        if not list(Path(self.root, "arena").glob("compiled__mypyc.*.so")):
            raise RuntimeError("nothing is compiled: make setup does it, and says what it lacks")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += ["/arena/**/*.so", "/arena/*.so", "/referee/**/*.so"]

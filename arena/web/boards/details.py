"""What drawings say beyond the views: scores so far, who played which card, what the bottle was sold for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.web.boards.scene import Scene

Details = Mapping[str, Any]

DETAILS: Mapping[str, Callable[[Scene], Details]] = {}
"""By game: more names for its template."""

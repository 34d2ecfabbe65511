"""The places of files that ship with the program outside its packages: README.md, LICENSE, docs/, protos/.

In a checkout they are next to the packages; a wheel has them inside of `arena` (`force-include` in pyproject.toml), so
that it puts nothing else among the packages of others.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_SHARE = _PACKAGE / "share"

ROOT = _SHARE if _SHARE.is_dir() else _PACKAGE.parent

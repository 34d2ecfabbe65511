"""Writes the golden matches again; review the diff: each change is a change of the rules or of the record."""

from __future__ import annotations

from tests.golden.matches import FOLDER, MATCHES, write

if __name__ == "__main__":
    for name in MATCHES:
        (FOLDER / f"{name}.json").write_text(write(name))

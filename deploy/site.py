"""Gather the pages of the docs, and the files that they link to, in dist/site-source: `make site` makes a site of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "dist" / "site-source"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
"""A link to a file: its text, its path, its anchor."""


def tracked() -> set[Path]:
    """Return the files that git has."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {Path(name) for name in names.splitlines()}


def is_page(file: Path) -> bool:
    """Return whether a file is part of the docs."""
    in_docs = file.parts[0] == "docs" or (file.parts[:2] == ("arena", "games") and "docs" in file.parts)
    return in_docs or (file.suffix == ".md" and len(file.parts) == 1)


def main() -> None:
    """Copy pages and pictures; a link to a folder becomes its text, since a site has no page of a folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    files = tracked()
    wanted = {file for file in files if is_page(file)}
    for page in sorted(file for file in wanted if file.suffix == ".md"):
        linked = set()

        def shown(link: re.Match[str], page: Path = page, linked: set[Path] = linked) -> str:
            target = (ROOT / page.parent / link[2]).resolve().relative_to(ROOT)
            if target not in files:
                return link[1]
            linked.add(target)
            return link[0]

        text = LINK.sub(shown, (ROOT / page).read_text(encoding="utf-8"))
        (SOURCE / page).parent.mkdir(parents=True, exist_ok=True)
        (SOURCE / page).write_text(text, encoding="utf-8")
        wanted |= linked
    for file in wanted:
        if file.suffix != ".md":
            (SOURCE / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, SOURCE / file)


if __name__ == "__main__":
    main()

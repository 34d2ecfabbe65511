"""Write the settings of arena/core/settings.py into docs/settings.md and the environment files of systemd and Kubernetes.

With --check, only report whether all are up to date.
"""

from __future__ import annotations

import re
import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core.settings import Settings

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "settings.md"
UNITS = ROOT / "deploy" / "systemd" / "arena.env"
CONFIG_MAP = ROOT / "deploy" / "kubernetes" / "base" / "settings.env"
SECRET = frozenset({"database_url", "redis_url", "secret"})
"""Settings that are in a Kubernetes secret, not in the configuration map."""
_WIDTH = 116


def as_written(default: object) -> str:
    """Return a default as the environment variable would have it."""
    if isinstance(default, bool):
        return "on" if default else "off"
    return "" if default is None else str(default)


def _row(name: str, field: FieldInfo) -> str:
    text = re.sub(
        r"(?<![`\w/])(?:/health|/tmp|HOST:PORT|[a-z]+://[\w@:/]+\w)", r"`\g<0>`", field.description or ""
    )
    least = max((getattr(each, "ge", None) or 0 for each in field.metadata), default=0)
    text += f" At least {least}." if least > 1 else ""
    default = as_written(field.default)
    return f"| `ARENA_{name.upper()}` | {f'`{default}`' if default else 'empty'} | {text} |\n"


def page(text: str) -> str:
    """Return the page with its table written again."""
    rows = "".join(_row(name, field) for name, field in Settings.model_fields.items())
    table = f"| variable | default | what |\n| --- | --- | --- |\n{rows}"
    return re.sub(r"\| variable \| default .*?\n(?=\n)", lambda _: table, text, count=1, flags=re.DOTALL)


def environment(text: str, without: frozenset[str] = frozenset()) -> str:
    """Return an environment file with the comment above each setting, and each default behind a `#`, written again."""
    for name, field in Settings.model_fields.items():
        if name == "data" or name in without:  # the comment of ARENA_DATA says who sets it
            continue
        words = "".join(f"# {line}\n" for line in textwrap.wrap(field.description or "", _WIDTH))
        line = rf"(?:# .*\n)+(#?)ARENA_{name.upper()}=(.*)\n"
        found = re.search(line, text)
        if found is None:
            text = f"{text.rstrip()}\n\n{words}#ARENA_{name.upper()}={as_written(field.default)}\n"
            continue
        value = as_written(field.default) if found[1] else found[2]
        text = text.replace(found[0], f"{words}{found[1]}ARENA_{name.upper()}={value}\n")
    return text


def main(arguments: list[str]) -> int:
    """Write the files, or with --check report those that are stale; return the exit code."""
    stale = []
    for path, fresh in (
        (PAGE, page),
        (UNITS, environment),
        (CONFIG_MAP, partial(environment, without=SECRET)),
    ):
        text = path.read_text(encoding="utf-8")
        if (new := fresh(text)) != text:
            stale.append(path.relative_to(ROOT))
            if "--check" not in arguments:
                path.write_text(new, encoding="utf-8")
    if stale and "--check" in arguments:
        print(f"stale: {', '.join(map(str, stale))}; `make settings` writes them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

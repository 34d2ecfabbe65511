"""The dashboards of `deploy/grafana`, as far as tests read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "deploy" / "grafana"
FILES = sorted((FOLDER / "dashboards").glob("*.json"))

GRAFANA_VARIABLES = {"__rate_interval": "1m"}
"""What Grafana itself puts in, with a value to try."""


def load(file: Path) -> dict[str, Any]:
    """Read a dashboard."""
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def panels(dashboard: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the panels that show something: all but the rows."""
    for panel in dashboard["panels"]:
        if panel["type"] != "row":
            yield panel


def expressions(dashboard: Mapping[str, Any]) -> list[str]:
    """Return the PromQL of all panels."""
    return [target["expr"] for panel in panels(dashboard) for target in panel["targets"]]


def fill_in(expression: str, values: Mapping[str, str]) -> str:
    """Put values in place of variables, as Grafana does."""
    return re.sub(r"\$\{?(\w+)\}?", lambda found: values[found[1]], expression)


def metrics_named(expression: str) -> set[str]:
    """Return the metrics that an expression names, as the docs list them."""
    names = set(re.findall(r"\b(?:arena|process)_\w+|\bup\b", expression))
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names}

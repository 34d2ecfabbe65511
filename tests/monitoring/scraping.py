"""Scraping a monitoring port as Prometheus does."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from prometheus_client.parser import text_string_to_metric_families


def get(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    """Ask a monitoring port of this machine; status and body."""
    try:
        with urllib.request.urlopen(f"http://{host}:{port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def check(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, dict[str, Any]]:
    """Ask for a health check."""
    status, body = get(port, path, host)
    return status, json.loads(body or "{}")


def families(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the metrics of a text by name: their type, and the labels that their samples have."""
    found = {}
    for family in text_string_to_metric_families(text):
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        name = f"{family.name}_total" if family.type == "counter" else family.name
        found[name] = family.type, tuple(sorted(labels))
    return found


def value(text: str, name: str, **labels: str) -> float | None:
    """Return the value of a sample, the sum of several that have these labels; None if there is none."""
    values = [
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
    return sum(values) if values else None


def described(text: str) -> dict[str, str]:
    """Return what each metric of a text is said to be, but for those of the process and of when a counter began."""
    lines = [line.split(" ", 3) for line in text.splitlines() if line.startswith("# HELP arena_")]
    return {name: words for _, _, name, words in lines if not name.endswith("_created")}

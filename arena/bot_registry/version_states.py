"""States of versions, and the ways in which they are reached, as the table `version` has them."""

from __future__ import annotations

from typing import Literal

VersionSource = Literal["hosted", "dial_in", "endpoint"]
VersionState = Literal["active", "waiting", "failed", "superseded", "withdrawn", "suspended"]

HOSTED = "hosted"
DIAL_IN = "dial_in"
ENDPOINT = "endpoint"

ACTIVE = "active"
WAITING = "waiting"
FAILED = "failed"
SUPERSEDED = "superseded"
WITHDRAWN = "withdrawn"
SUSPENDED = "suspended"

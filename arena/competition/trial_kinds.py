"""The kinds of trials, as they are stored."""

from __future__ import annotations

from typing import Literal

QUALIFICATION: Literal["qualification"] = "qualification"
CHALLENGE: Literal["challenge"] = "challenge"
COMPARISON: Literal["comparison"] = "comparison"
Kind = Literal["qualification", "challenge", "comparison"]

"""Answers that are put together for an operation; all others are the reports themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot that was entered, or withdrawn."""

    tournament: Annotated[int, Field(description="The tournament's number.", examples=[7])]
    bot: Annotated[str, Field(description="The bot's name.", examples=["my-bot"])]
    version: Annotated[str, Field(description="Its version.", examples=["2"])]

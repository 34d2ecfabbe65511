"""What all of the API's models of answers are made from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Reads its values from the services' dataclasses by name."""

    model_config = ConfigDict(from_attributes=True)

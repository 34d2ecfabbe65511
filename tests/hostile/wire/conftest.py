from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.referee.running_referee import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture(params=[0, 1])
def seat(request: pytest.FixtureRequest) -> int:
    """The seat of the bot that misbehaves."""
    number: int = request.param
    return number

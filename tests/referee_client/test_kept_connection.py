"""The connection that several calls share, with real referees."""

from collections.abc import Iterator

import pytest

from arena.referee_client import RefereeUnreachable, local_referee
from arena.referee_client.kept_connection import KeptConnection


@pytest.fixture(scope="module")
def addresses() -> Iterator[tuple[str, str]]:
    with local_referee(allow_files=False) as first, local_referee(allow_files=False) as second:
        yield first, second


async def test_a_connection_is_kept_from_call_to_call(addresses: tuple[str, str]) -> None:
    async with KeptConnection() as connection:
        async with connection.to(addresses[0]) as first:
            pass
        async with connection.to(addresses[0]) as again:
            assert again is first
            assert [step async for step in again.watch("")] == []


async def test_for_another_referee_there_is_another(addresses: tuple[str, str]) -> None:
    async with KeptConnection() as connection:
        async with connection.to(addresses[0]) as first:
            pass
        async with connection.to(addresses[1]) as second:
            assert (first.address, second.address) == addresses
            assert [step async for step in second.watch("")] == []


async def test_after_an_error_there_is_a_new_one_which_does_not_wait_to_try_again(
    addresses: tuple[str, str],
) -> None:
    async with KeptConnection() as connection:
        with pytest.raises(RefereeUnreachable):
            async with connection.to(addresses[0]) as lost:
                raise RefereeUnreachable("it died")
        async with connection.to(addresses[0]) as found:
            assert found is not lost
            assert [step async for step in found.watch("")] == []

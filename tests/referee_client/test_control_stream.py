"""The control stream's client against a referee in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import pytest

from arena.referee_client import RefereeUnreachable
from arena.referee_client.control_stream import (
    BotConnected,
    BotDisconnected,
    ControlStream,
    RefereeOnline,
)
from tests.dialling import RunningReferee, dialling_bot
from tests.patience import wait_until

DIGEST = sha256(b"sesame").digest()


Kind = TypeVar("Kind")


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[RunningReferee]:
    referee = RunningReferee(tmp_path / "referee", public=True)
    referee.start()
    yield referee
    referee.close()


def hear(control: ControlStream, kind: type[Kind]) -> Kind:
    """Wait for news of a kind."""
    heard: list[object] = []

    def has_come() -> bool:
        heard.extend(control.news(0.1))
        return any(isinstance(news, kind) for news in heard)

    wait_until(has_come, f"{kind.__name__} has come", within_s=20)
    return next(news for news in heard if isinstance(news, kind))


def ended(control: ControlStream) -> str:
    """Wait for the end of the stream; how it ended."""
    with pytest.raises(RefereeUnreachable) as error:
        wait_until(lambda: list(control.news(0.1)) is None, "it ends", within_s=20)
    return str(error.value)


def test_referee_says_first_where_bots_reach_it(referee: RunningReferee) -> None:
    with ControlStream(referee.control) as control:
        assert hear(control, RefereeOnline).public_address == referee.bots


def test_referee_says_first_what_keeps_hosted_bots_from_doing_harm(referee: RunningReferee) -> None:
    with ControlStream(referee.control) as control:
        assert hear(control, RefereeOnline).protection.startswith("none: hosted bots run with all the rights")


def test_who_comes_and_goes_is_news(referee: RunningReferee, tmp_path: Path) -> None:
    with ControlStream(referee.control) as control:
        control.admit({"bob": DIGEST})
        with dialling_bot(tmp_path, referee.bots, "sesame"):
            assert hear(control, BotConnected) == BotConnected("bob", "mine", "7", 4)
        assert hear(control, BotDisconnected) == BotDisconnected("bob")


def test_a_new_stream_is_told_who_is_there_already(referee: RunningReferee, tmp_path: Path) -> None:
    with ControlStream(referee.control) as control:
        control.admit({"bob": DIGEST})
        with dialling_bot(tmp_path, referee.bots, "sesame"):
            hear(control, BotConnected)
            with ControlStream(referee.control) as newer:
                assert hear(newer, BotConnected) == BotConnected("bob", "mine", "7", 4)


def test_a_revoked_token_ends_its_bot(referee: RunningReferee, tmp_path: Path) -> None:
    with ControlStream(referee.control) as control:
        control.admit({})
        control.add("bob", DIGEST)
        with dialling_bot(tmp_path, referee.bots, "sesame") as bot:
            hear(control, BotConnected)
            control.revoke("bob")
            assert bot.wait(20) == 0


def test_no_news_is_no_error(referee: RunningReferee) -> None:
    with ControlStream(referee.control) as control:
        hear(control, RefereeOnline)
        assert list(control.news(0.01)) == []


def test_a_newer_stream_ends_the_older(referee: RunningReferee) -> None:
    with ControlStream(referee.control) as control:
        hear(control, RefereeOnline)
        with ControlStream(referee.control) as newer:
            hear(newer, RefereeOnline)
            assert "a newer control stream replaced this one" in ended(control)


def test_a_referee_that_dies_is_unreachable(referee: RunningReferee) -> None:
    with ControlStream(referee.control) as control:
        hear(control, RefereeOnline)
        referee.kill()
        assert referee.control in ended(control)


def test_a_referee_that_is_away_is_unreachable(tmp_path: Path) -> None:
    with ControlStream(f"unix:{tmp_path / 'nowhere'}") as control:
        assert "nowhere" in ended(control)

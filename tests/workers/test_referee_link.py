"""The registrar between real parts: store, Redis, referees and bots in processes of their own."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import text

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import absences, blocks
from arena.competition.matches.blocks import BlockKey
from arena.messaging import presence
from arena.messaging.redis_connection import connect
from arena.referee_client import DialIn, Finished, Order, Referee, SeatOrder
from arena.storage import Store
from tests import certificates
from tests.dialling import RunningReferee, dialling_bot, give_token, take_token
from tests.parts.arena_process import clean_environment
from tests.parts.redis_server import RunningRedis, running_redis
from tests.patience import wait_until
from workers.referee_link import RefereeLink, referee_name

BACK_S = 10.0
"""How long whatever was killed may take to be back at work."""
LOOKS_S = 7.0
"""How long a worker on a slow machine may look for a bot that is not there."""

NewReferee = Callable[..., RunningReferee]
Keep = Callable[..., RefereeLink]


@pytest.fixture
def new_referee(tmp_path: Path) -> Iterator[NewReferee]:
    """Start referees."""
    started: list[RunningReferee] = []

    def new(*, public: bool = False) -> RunningReferee:
        referee = RunningReferee(tmp_path / f"referee{len(started)}", public=public)
        started.append(referee)
        referee.start()
        return referee

    yield new
    for referee in started:
        referee.close()


@pytest.fixture
def keep(store: Store, client: Redis) -> Iterator[Keep]:
    """Start registrars."""
    started: list[RefereeLink] = []

    def keep(referee: RunningReferee, name: str = "ann", redis: Redis = client) -> RefereeLink:
        registrar = RefereeLink(store, redis, name, referee.control)
        started.append(registrar)
        registrar.start()
        return registrar

    yield keep
    for registrar in started:
        registrar.close()


def comes(client: Redis, *token_ids: str) -> None:
    wait_until(
        lambda: set(presence.present(client)) == set(token_ids), f"present: {token_ids}", within_s=BACK_S
    )


def order(match: str, *tokens: str) -> Order:
    seats = tuple(SeatOrder(token, "1", DialIn(token)) for token in tokens)
    return Order(match, "lost_cities", "standard", seats, bytes(32), {"hands": 1})


async def plays(referee: RunningReferee, *matches: str) -> None:
    """Have the bot `bob` play against itself."""
    async with Referee(referee.control) as client:
        orders = [order(match, "bob", "bob") for match in matches]
        reports = [report async for report in client.play(orders)]
    ended = {report.match for report in reports if isinstance(report, Finished)}
    assert ended == set(matches), reports


def test_a_bot_with_a_token_of_the_store_is_let_in_and_shown(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, token):
        comes(client, "bob")
        bot = presence.present(client)["bob"]
        assert (bot.name, bot.version, bot.referees) == (
            "mine",
            "7",
            (referee_name(referee.control),),
        )


class _StumblesOnce(RefereeLink):
    """Meets an error that nobody has foreseen."""

    stumbled = False

    def _serve_stream(self) -> None:
        if not self.stumbled:
            self.stumbled = True
            raise ValueError("a library's own error")
        super()._serve_stream()


def shows(client: Redis, referee: RunningReferee) -> None:
    """Wait until a link has told Redis where a referee is."""
    wait_until(
        lambda: presence.addresses(client).get(referee_name(referee.control)) == referee.bots,
        "the referee is shown",
        within_s=BACK_S,
    )


def test_link_outlasts_an_error_that_nobody_has_foreseen(
    store: Store, client: Redis, new_referee: NewReferee, caplog: pytest.LogCaptureFixture
) -> None:
    referee = new_referee(public=True)
    link = _StumblesOnce(store, client, "ann", referee.control)
    link.start()
    try:
        shows(client, referee)
    finally:
        link.close()
    assert "a library's own error" in caplog.text


def test_token_that_cannot_be_read_does_not_hide_the_referee(
    store: Store,
    client: Redis,
    new_referee: NewReferee,
    keep: Keep,
    caplog: pytest.LogCaptureFixture,
) -> None:
    give_token(store, "bob")
    with store.write() as session:
        session.execute(text("UPDATE bot_token SET sha256 = 'no bytes'"))
    referee = new_referee(public=True)
    keep(referee)
    shows(client, referee)
    assert "sending the bots' tokens failed" in caplog.text


def test_the_version_that_a_bot_declares_becomes_its_active_one(
    store: Store, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "land_unter", "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, made.token):
        wait_until(lambda: bots.find(store, "land_unter", "bob").version == "7", "it is stored")


def test_a_bot_that_dials_before_its_token_is_known_is_let_in(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        assert bot.stderr is not None
        assert "knows no tokens yet" in bot.stderr.readline()
        keep(referee)
        comes(client, "bob")


def test_a_token_that_is_made_later_is_admitted(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    referee = new_referee()
    keep(referee)
    wait_until(lambda: client.exists("referees"), "the registrar is at work")
    with dialling_bot(tmp_path, referee.bots, give_token(store, "bob")):
        comes(client, "bob")


def test_a_bot_whose_token_is_taken_away_is_sent_away(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        comes(client, "bob")
        take_token(store, "bob")
        comes(client)
        assert bot.wait(10) == 0  # a goodbye for good


def test_a_bot_that_goes_is_no_longer_shown(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        comes(client, "bob")
        bot.kill()
        comes(client)


def test_presence_expires_when_the_registrar_is_gone(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    registrar = keep(referee)
    with dialling_bot(tmp_path, referee.bots, token):
        comes(client, "bob")
        registrar.close()
        assert "bob" in presence.present(client)
        wait_until(lambda: not presence.present(client), "it has expired", within_s=2 * presence.KEPT_S)


def test_a_bot_reaches_each_referee_of_the_arena_and_plays_for_all(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    one, other = new_referee(public=True), new_referee(public=True)
    keep(one)
    keep(other)
    with dialling_bot(tmp_path, one.bots, token):
        wait_until(
            lambda: "bob" in (found := presence.present(client)) and len(found["bob"].referees) == 2,
            "it has a stream to each",
            within_s=BACK_S,
        )

        async def play_both() -> None:
            await asyncio.gather(plays(one, "m1", "m2"), plays(other, "m3", "m4"))

        asyncio.run(play_both())


def test_a_referee_that_was_killed_has_its_bots_back(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        comes(client, "bob")
        referee.kill()
        comes(client)
        referee.start()
        comes(client, "bob")
        assert bot.poll() is None


def test_presence_is_there_again_when_redis_comes_back_empty(
    store: Store, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    with running_redis() as server:
        token = give_token(store, "bob")
        referee = new_referee()
        registrar = keep(referee, redis=connect(server.url))
        with dialling_bot(tmp_path, referee.bots, token) as bot:
            comes(connect(server.url), "bob")
            server.kill()
            time.sleep(2.0)  # long enough for the registrar to miss it
            server.start()
            comes(connect(server.url), "bob")
            assert bot.poll() is None
            registrar.close()


def test_a_store_that_fails_for_a_while_sends_no_bot_away(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        comes(client, "bob")
        with store.write() as session:
            session.execute(text("ALTER TABLE meta RENAME TO meta_away"))
        time.sleep(4.0)  # longer than the lease
        assert "bob" in presence.present(client)
        with store.write() as session:
            session.execute(text("ALTER TABLE meta_away RENAME TO meta"))
        take_token(store, "bob")
        assert bot.wait(20) == 0


def test_one_registrar_of_a_referee_works_at_a_time_and_the_next_follows(
    store: Store, client: Redis, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    token = give_token(store, "bob")
    referee = new_referee()
    first = keep(referee)
    wait_until(lambda: client.exists("referees"), "the first is at work")
    keep(referee, "bea")
    with dialling_bot(tmp_path, referee.bots, token) as bot:
        comes(client, "bob")
        first.close()
        client.flushall()
        comes(client, "bob")
        assert bot.poll() is None


def test_a_worker_that_is_killed_leaves_its_registrar_s_work_to_another(
    store: Store,
    url: str,
    server: RunningRedis,
    new_referee: NewReferee,
    tmp_path: Path,
) -> None:
    client = connect(server.url)
    client.flushall()
    token = give_token(store, "bob")
    referee = new_referee()
    environment = {
        "ARENA_DATABASE_URL": url,
        "ARENA_REDIS_URL": server.url,
        "ARENA_CONTROL": referee.control,
    }
    command = [sys.executable, "-m", "workers"]
    first = subprocess.Popen(command, env={**clean_environment(), **environment})
    with dialling_bot(tmp_path, referee.bots, token):
        comes(client, "bob")
        first.kill()
        first.wait()
        client.flushall()
        second = subprocess.Popen(command, env={**clean_environment(), **environment})
        try:
            comes(client, "bob")
        finally:
            second.send_signal(signal.SIGTERM)
            assert second.wait(20) == 0


def test_a_referee_s_name_is_its_own_among_all_machines() -> None:
    assert referee_name("unix:/run/control.sock").startswith("unix:/run/control.sock@")
    assert referee_name("127.0.0.1:7001").startswith("127.0.0.1:7001@")
    assert referee_name("play1:7001") == "play1:7001"


def test_a_bot_that_connects_need_not_wait_until_its_blocks_have_rested(
    store: Store, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "bob")
    creation.create(store, TournamentSpec("lost_cities", ("bob", "greedy"), options={"hands": 1}))
    block = blocks.claim(store, "ann", 60)
    assert block is not None
    absences.note(store, block.tournament_id, {bots.find(store, "lost_cities", "bob").version_id})
    blocks.postpone(store, BlockKey(block.tournament_id, block.number), "ann", 3600)
    assert blocks.reconcile(store) == ()
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, made.token):
        wait_until(lambda: blocks.reconcile(store), "its block is to be tried", within_s=BACK_S)


def test_a_block_that_is_put_to_rest_some_seconds_after_its_bot_came_is_tried_at_once_too(
    store: Store, new_referee: NewReferee, keep: Keep, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "bob")
    creation.create(store, TournamentSpec("lost_cities", ("bob", "greedy"), options={"hands": 1}))
    block = blocks.claim(store, "ann", 60)
    assert block is not None
    absences.note(store, block.tournament_id, {bots.find(store, "lost_cities", "bob").version_id})
    referee = new_referee()
    keep(referee)
    with dialling_bot(tmp_path, referee.bots, made.token):
        wait_until(
            lambda: bots.find(store, "lost_cities", "bob").version == "7", "it has come", within_s=BACK_S
        )
        time.sleep(LOOKS_S)
        blocks.postpone(store, BlockKey(block.tournament_id, block.number), "ann", 3600)
        wait_until(lambda: blocks.reconcile(store), "its block is to be tried", within_s=BACK_S)


def test_what_is_wrong_with_the_set_up_of_a_referee_is_shown(
    client: Redis, keep: Keep, tmp_path: Path
) -> None:
    files = certificates.issue(tmp_path, days=2)
    referee = RunningReferee(
        tmp_path / "referee", options=files.options, environment={"ARENA_DATABSE_URL": "x"}
    )
    try:
        referee.start()
        keep(referee)
        name = referee_name(referee.control)
        wait_until(lambda: name in presence.warnings(client), "the warnings", within_s=BACK_S)
        variable, certificate = presence.warnings(client)[name]
    finally:
        referee.close()
    assert variable.endswith("did you mean ARENA_DATABASE_URL?")
    assert certificate.startswith(f"ARENA_TLS_CERT {files.certificate}: expires on ")

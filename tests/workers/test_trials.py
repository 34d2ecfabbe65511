"""Uploads through real parts: store, Redis, workers and a referee that is brought the bundles; whatever is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.accounts.actors import Actor
from arena.bot_registry import stored_weights, weights_uploads
from arena.bundle_format.bundle import read_upload
from arena.competition.qualification import challenges, submissions
from arena.competition.qualification.submissions import VersionRow
from arena.core import child_process
from arena.referee_client import local_referee
from arena.reports import bot_logs, match_views, tournaments
from arena.storage import Store
from arena.storage.schema import Block
from referee.sandbox import command
from tests.bundle_format.test_bundle import DEEPEST
from tests.bundle_format.uploads import BOT, TOML, project, zipped
from tests.decided_matches import person
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.workers.conftest import Start

WITHIN_S = 60.0
SLOW = BOT.replace("        return", "        time.sleep(0.01)\n        return").replace(
    "from", "import time\n\nfrom", 1
)


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    if not command.find():
        pytest.skip("needs bubblewrap: apt-get install bubblewrap libseccomp2")
    with local_referee(allow_files=False, sandbox="on") as address:
        yield address


@pytest.fixture
def ada(store: Store) -> Actor:
    return person(store, "ada")


def submit(store: Store, ada: Actor, bot: str = BOT, toml: str = TOML) -> VersionRow:
    upload = read_upload(project(toml, bot), "mine.zip")
    (row,) = submissions.submit(store, ada, upload, allowed=(), most=10)
    return row


def newest(store: Store, ada: Actor, game: str = "lost_cities") -> VersionRow:
    return submissions.versions(store, ada, game, "mine")[0]


def judged(store: Store, ada: Actor, game: str = "lost_cities") -> VersionRow:
    wait_until(lambda: newest(store, ada, game).state != "waiting", "the verdict", within_s=WITHIN_S)
    return newest(store, ada, game)


def test_an_upload_is_brought_to_the_referee_qualifies_and_can_be_challenged_with(
    store: Store, start: Start, ada: Actor
) -> None:
    submit(store, ada)
    start()
    assert judged(store, ada).state == "active"
    number = challenges.challenge(store, ada, "lost_cities", "mine", ["greedy"], most=1)
    wait_until(lambda: tournaments.row(store, number).state == "finished", "the challenge", within_s=WITHIN_S)
    assert {row.end for row in match_views.of_tournament(store, number)} == {"completed"}


def test_the_deepest_and_longest_path_that_is_taken_is_unpacked_and_started(
    store: Store, start: Start, ada: Actor
) -> None:
    upload = read_upload(zipped({"bot.toml": TOML.replace("mine.py", DEEPEST), DEEPEST: BOT}), "mine.zip")
    submissions.submit(store, ada, upload, allowed=(), most=10)
    start()
    row = judged(store, ada)
    assert (row.state, row.reason) == ("active", None)


def test_weights_are_brought_from_the_store_and_played_with(store: Store, start: Start, ada: Actor) -> None:
    content = b"".join(sha256(bytes([number])).digest() * 40_000 for number in range(3))
    name = sha256(content).hexdigest()
    weights_uploads.begin(store, ada, name, len(content), stored_weights.STANDARD)
    for at in range(0, len(content), stored_weights.PART_BYTES):
        weights_uploads.add(store, ada, name, at, content[at : at + stored_weights.PART_BYTES])
    weights_uploads.finish(store, ada, name)
    reads = "import hashlib\nwith open('/bot/weights/net.bin', 'rb') as file:\n    print(hashlib.sha256(file.read()).hexdigest())\n"
    submit(store, ada, reads + BOT, f'{TOML}[weights]\n"net.bin" = "{name}"\n')
    start()
    assert judged(store, ada).state == "active"
    rows = bot_logs.recent(store, ada, "lost_cities", "mine")
    logs = [bot_logs.of_match(store, ada, "lost_cities", "mine", row.id)[0].stderr for row in rows]
    assert any(name in log for log in logs)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("raise RuntimeError('no such file as my_weights.bin')\n", "It crashed while starting: "),
        ("import nosuch\n", "It crashed while starting: No module named 'nosuch'. Only the SDK"),
        (BOT.replace("decision.legal[0]", "'fly to the moon'"), "It crashed in match "),
        (
            BOT.replace("class Mine(Bot):", "class Mine(Bot):\n    games = ('lifeboats',)"),
            "does not play lost_cities",
        ),
    ],
    ids=["raises", "misses a module", "illegal", "other game"],
)
def test_an_upload_that_cannot_play_fails_and_its_author_learns_why(
    store: Store, start: Start, ada: Actor, bot: str, says: str
) -> None:
    submit(store, ada, bot)
    start()
    row = judged(store, ada)
    assert row.state == "failed"
    assert says in str(row.reason)
    assert ("my_weights.bin" in str(row.reason)) == ("my_weights.bin" in bot)


def test_a_trial_goes_on_after_its_worker_was_killed_and_is_judged_once(
    store: Store, start: Start, ada: Actor
) -> None:
    row = submit(store, ada, SLOW)
    trial = row.trial or 0
    worker = start()
    wait_until(lambda: held(store, trial), "a worker plays it", within_s=WITHIN_S)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert newest(store, ada).state == "waiting"
    start()
    assert judged(store, ada).state == "active"
    assert tournaments.row(store, trial).matches_done == 2


def test_what_an_upload_prints_is_in_its_authors_logs_and_nowhere_else(
    store: Store, start: Start, ada: Actor
) -> None:
    submit(
        store, ada, BOT.replace("        return", "        print('my plan', decision.legal)\n        return")
    )
    start()
    assert judged(store, ada).state == "active"
    rows = bot_logs.recent(store, ada, "lost_cities", "mine")
    assert len(rows) == 2
    (log,) = bot_logs.of_match(store, ada, "lost_cities", "mine", rows[0].id)
    assert "my plan" in log.stderr
    assert len(log.timings) == rows[0].decisions > 0
    record = match_views.page(store, rows[0].tournament_id, rows[0].set, rows[0].match).record
    assert "my plan" not in str(record)


def held(store: Store, trial: int) -> bool:
    with store.read() as session:
        return session.get_one(Block, (trial, 0)).worker is not None


def test_a_trial_goes_on_after_its_referee_was_killed(
    store: Store, ada: Actor, url: str, server: RunningRedis, tmp_path: Path
) -> None:
    """The new referee has the bundle: it was unpacked whole, or it is brought again."""
    row = submit(store, ada, SLOW)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        referee = _referee(folder)
        worker = _worker(url, server, folder)
        try:
            wait_until(lambda: held(store, row.trial or 0), "a worker plays it", within_s=WITHIN_S)
            wait_until(
                lambda: any(Path(folder, "bundles").glob("[0-9a-f]*")), "it is there", within_s=WITHIN_S
            )
            referee.kill()
            referee.wait()
            referee = _referee(folder)
            assert judged(store, ada).state == "active"
        finally:
            for each in (worker, referee):
                each.terminate()
                each.wait()


def _referee(folder: str) -> subprocess.Popen[bytes]:
    for name in ("control", "bots"):
        Path(folder, name).unlink(missing_ok=True)
    arguments = ("--control", f"unix:{folder}/control", "--bots", f"unix:{folder}/bots")
    return child_process.start(
        child_process.module("referee", *arguments, "--bundles", f"{folder}/bundles", "--sandbox", "on"),
        environment={},
    )


def _worker(url: str, server: RunningRedis, folder: str) -> subprocess.Popen[bytes]:
    environment = {
        "ARENA_DATABASE_URL": url,
        "ARENA_REDIS_URL": server.url,
        "ARENA_CONTROL": f"unix:{folder}/control",
    }
    return child_process.start([sys.executable, "-m", "workers"], environment=environment)

"""`arena bot submit` and what follows it, against an arena that is served by a process of its own."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from arena.accounts import tokens
from arena.accounts.actors import Actor
from arena.bot_registry import bots, stored_weights
from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockMatch
from arena.competition.matches.results import Output
from arena.reports import tournaments
from arena.storage import Store
from tests import decided_matches
from tests.bundle_format.uploads import BOT, TOML
from tests.cli.running import Done, run
from tests.decided_matches import store_result
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import empty, new_sqlite

OTHER = "ab" * 32
LAST_WORDS = "too \x1b]0;late\a\u202e"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The URL of a store and the address at which it is served: for all tests, since the web takes long to start."""
    data = tmp_path_factory.mktemp("data")
    url = new_sqlite(data / "arena.db")
    with running_redis() as redis, serving(data, redis.url) as address:
        yield url, address


@pytest.fixture
def store(served: tuple[str, str]) -> Iterator[Store]:
    opened = Store.open(served[0])
    empty(opened)
    bots.register_house(opened, dict.fromkeys(("lost_cities", "land_unter"), decided_matches.NAMES))
    yield opened
    opened.close()


@pytest.fixture
def ada(store: Store) -> Actor:
    return decided_matches.person(store, "ada")


@pytest.fixture
def home(served: tuple[str, str], store: Store, ada: Actor, tmp_path: Path) -> Path:
    """A configuration folder in which ada has signed in."""
    (tmp_path / "token").write_text(tokens.create(store, ada, "test").token)
    done = arena(tmp_path, "login", served[1], "--token-file", str(tmp_path / "token"))
    assert done.code == 0, done.error
    return tmp_path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__/mine.pyc").write_bytes(b"\0")
    (folder / ".venv").mkdir()
    (folder / ".venv/link").symlink_to("/etc")
    (folder / "bot.toml").write_text(TOML)
    (folder / "mine.py").write_text(BOT)
    return folder


def arena(home: Path, *arguments: str) -> Done:
    return run(*arguments, XDG_CONFIG_HOME=str(home))


@contextmanager
def playing(
    store: Store,
    *,
    fault: bool = False,
    places: Callable[[BlockMatch], Sequence[int]] = decided_matches.alphabetical,
) -> Iterator[None]:
    """Play all that comes up, as a worker does."""
    over = threading.Event()

    def play() -> None:
        while not over.wait(0.05):
            for key in blocks.reconcile(store):
                block = decided_matches.claim(store, key=key)
                for match in block.matches:
                    seat = next(seat for seat, each in enumerate(match.seats) if each.bot == "mine")
                    changes = {"result": decided_matches.fault(2, seat, "crash", LAST_WORDS)} if fault else {}
                    text = decided_matches.record(block, match, places(match), **changes)
                    said = {seat: Output(b"I think \x1b[2J", 3)}
                    store_result(store, key.tournament_id, match.set, match.match, match.attempt, text, said)
                blocks.finish(store, key, "anna")

    worker = threading.Thread(target=play)
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join()


def test_a_project_is_submitted_challenged_with_withdrawn_and_restored(
    store: Store, home: Path, project: Path
) -> None:
    with playing(store):
        done = arena(home, "bot", "submit", str(project))
        assert (done.code, done.out.splitlines()[0]) == (0, "Bot mine@1 of lost_cities: active")
        done = arena(home, "bot", "challenge", "mine", "greedy", "--json")
        assert [row["end"] for row in json.loads(done.out)["matches"]] == ["completed"] * 2
        assert "greedy@1 1." in arena(home, "bot", "challenge", "mine", "greedy").out
    assert arena(home, "bot", "withdraw", "mine").out.startswith("Bot mine@1 of lost_cities: withdrawn")
    assert arena(home, "bot", "restore", "mine").out.startswith("Bot mine@1 of lost_cities: active")


def test_weights_are_uploaded_once_and_before_the_bot(
    store: Store, ada: Actor, home: Path, project: Path
) -> None:
    content = bytes(range(256)) * 10_000
    name = sha256(content).hexdigest()
    (project / "bot.toml").write_text(f'{TOML}[weights]\n"net.bin" = "{name}"\n')
    (project / "weights").mkdir()
    (project / "weights/net.bin").write_bytes(content)
    for mark in ("", "# again\n"):
        (project / "mine.py").write_text(BOT + mark)
        done = arena(home, "bot", "submit", str(project), "--no-wait")
        assert (done.code, done.error.count("\n")) == (0, 1), done.error
        assert "where you have signed in last" in done.error
    number = stored_weights.find(store, name)
    assert number is not None
    assert stored_weights.read_part(store, number, 2) == content[2 << 20 :]
    with store.read() as session:
        assert stored_weights.count_bytes(session, ada.user_id) == len(content)


def test_weights_that_have_another_sha256_are_refused_before_anything_is_sent(
    home: Path, project: Path
) -> None:
    (project / "bot.toml").write_text(f'{TOML}[weights]\n"net.bin" = "{OTHER}"\n')
    done = arena(home, "bot", "submit", str(project))
    assert done.code == 2
    assert "weights net.bin: " in done.error
    assert "No such file or directory; put the file there" in done.error
    (project / "weights").mkdir()
    (project / "weights/net.bin").write_bytes(b"1")
    found = sha256(b"1").hexdigest()
    for command in (("bot", "submit"), ("bot", "check"), ("match", "lost_cities", "greedy")):
        done = arena(home, *command, str(project))
        assert done.code == 2
        assert f"has the SHA-256 {found}, and bot.toml says {OTHER}" in done.error


def test_who_has_no_bot_of_a_name_is_asked_for_the_game_where_several_have_one(home: Path) -> None:
    done = arena(home, "bot", "restore", "greedy@1")
    assert done.code == 2
    assert (
        "bot 'greedy': plays land_unter, lost_cities; say which with --game, such as --game land_unter"
        in done.error
    )


def test_a_failure_is_told_with_its_reason_and_exit_code_1(store: Store, home: Path, project: Path) -> None:
    with playing(store, fault=True):
        done = arena(home, "bot", "submit", str(project))
    assert done.code == 1
    assert "Bot mine@1 of lost_cities: failed\nIt crashed in match" in done.out
    assert "too \\u001b]0;late\\u0007\\u202e" in arena(home, "bot", "version", "list", "mine").out


def test_logs_show_what_ones_own_bot_printed_and_harm_no_terminal(
    store: Store, home: Path, project: Path
) -> None:
    with playing(store):
        arena(home, "bot", "submit", str(project))
    rows = json.loads(arena(home, "bot", "log", "list", "mine", "--json").out)
    assert len(rows) == 2
    assert rows[0]["id"] in arena(home, "bot", "log", "list", "mine", "--limit", "1").out
    shown = arena(home, "bot", "log", "show", "mine@1", "--match", rows[0]["id"]).out
    assert "It printed 3 bytes before this:\nI think \\u001b[2J" in shown


@pytest.fixture
def versions(store: Store, ada: Actor) -> None:
    """A bot of ada's with two versions that have qualified, and one that has not."""
    decided_matches.upload(store, ada, "mine", states=(bots.SUPERSEDED, bots.FAILED, bots.ACTIVE))


def the_newest(match: BlockMatch) -> list[int]:
    """The newest version wins."""
    newest = max(seat.version for seat in match.seats)
    return [1 if seat.version == newest else 2 for seat in match.seats]


@pytest.mark.usefixtures("versions")
def test_comparison_of_two_versions_ends_with_its_verdict(store: Store, home: Path) -> None:
    with playing(store, places=the_newest):
        done = arena(home, "bot", "compare", "mine", "3", "1", "--sprt=0,50")
    assert done.code == 0, done.error
    assert re.search(
        r"^Comparison \d+: at most 500 sets \(1000 matches\); it ends once it is decided$",
        done.error,
        re.MULTILINE,
    )
    verdict, address = done.out.splitlines()
    assert re.fullmatch(
        r"mine: 3 against 1: \+\d+ ± \d+ Elo, elo1 = 50 is accepted after \d+ sets \(LLR \d+\.\d\d\)", verdict
    )
    assert re.fullmatch(r"Comparison \d+: http://\S+/tournaments/\d+", address)


@pytest.mark.usefixtures("versions")
def test_comparison_names_the_first_as_the_weaker_where_it_loses(store: Store, home: Path) -> None:
    with playing(store, places=the_newest):
        done = arena(home, "bot", "compare", "mine", "1", "3", "--sprt=0,50", "--json")
    found = json.loads(done.out)
    assert (found["state"], found["sprt"]["accepted"]) == ("finished", "elo0")


@pytest.mark.usefixtures("versions")
def test_comparison_that_is_not_waited_for_has_no_verdict_yet(store: Store, home: Path) -> None:
    done = arena(home, "bot", "compare", "mine", "3", "1", "--no-wait", "--json")
    found = json.loads(done.out)
    assert (found["state"], found["sprt"]) == (None, None)
    page = tournaments.page(store, found["tournament"])
    assert (page.name, page.state) == ("Comparison: mine@3, mine@1", "running")


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("3 2", "mine@2"),
        ("3 9", "9"),
        ("3 3", "mine"),
        ("3 1 --sprt=separated", "sprt"),
        ("3 1 --sets 501", "sets"),
    ],
    ids=["failed", "unknown", "the same", "no bounds", "too many sets"],
)
def test_versions_that_cannot_be_compared_are_refused(home: Path, arguments: str, says: str) -> None:
    done = arena(home, "bot", "compare", "mine", *arguments.split())
    assert done.code == 2
    assert says in done.error


def test_a_file_is_submitted_without_waiting(home: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(BOT)
    done = arena(
        home, "bot", "submit", str(tmp_path / "other.py"), "--game", "land_unter", "--no-wait", "--json"
    )
    assert [(row["bot"], row["game"], row["state"]) for row in json.loads(done.out)] == [
        ("other", "land_unter", "waiting")
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("submit {folder}/nothing", "No such file"),
        ("submit {folder}/mine/mine.py", "game: mine.py does not name its game"),
        ("submit {folder}/mine/__pycache__", "has no bot.toml"),
        ("withdraw nobody", "bot 'nobody': there is none of that name; `arena bot list` shows them"),
        ("withdraw greedy --game lost_cities", "bot 'greedy': is not yours"),
        ("logs nobody --game lost_cities", "bot 'nobody': lost_cities has none of that name"),
    ],
)
def test_what_is_refused_is_one_line_and_exit_code_2(
    home: Path, project: Path, arguments: str, says: str
) -> None:
    done = arena(home, "bot", *arguments.format(folder=project.parent).split())
    assert done.code == 2
    assert says in done.error
    assert done.error.count("\n") == 1


def test_a_refusal_is_there_for_programs(home: Path, project: Path) -> None:
    (project / "bot.toml").write_text(f'{TOML}requires = ["torch"]\n')
    done = arena(home, "bot", "submit", str(project), "--json")
    said = json.loads(done.out)
    assert (said["code"], said["field"]) == ("package_not_allowed", "requires")


def test_an_author_adds_a_bot_of_their_own_at_an_arena(store: Store, home: Path, ada: Actor) -> None:
    (url,) = json.loads((home / "bot-arena/logins.json").read_text())
    done = arena(home, "bot", "add", "lost_cities", "far", "--dial-in", "--arena", url)
    assert done.code == 0, done.error
    assert "ARENA_TOKEN=" in done.out
    assert "When it is there it plays sets against house bots; then it can be entered." in done.out
    found = bots.find(store, "lost_cities", "far")
    assert (found.owner, found.state) == ("ada", "waiting")
    made = json.loads(arena(home, "bot", "token", "lost_cities", "far", "--arena", url, "--json").out)
    assert list(bots.admitted(store)) == [made["token_id"]]
    listed = arena(home, "bot", "list", "lost_cities", "--arena", url).out
    assert "far@1" in listed
    assert "ada" in listed

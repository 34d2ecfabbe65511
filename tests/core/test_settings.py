import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from sqlalchemy import make_url

import arena
from arena.core.errors import UsageError
from arena.core.settings import Settings, database_url, read
from arena.core.socket_folder import MAX_PATH_BYTES
from tests.odd_names import ODD_NAMES


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)


def test_all_parts_are_in_the_data_directory_where_nothing_is_set() -> None:
    found = Settings(data=Path("/data"))
    assert found.database_url == "sqlite:////data/arena.db"
    assert found.redis_url == "unix:///data/run/redis.sock"
    assert found.control == "unix:/data/run/control.sock"


def test_what_is_set_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://db/arena")
    monkeypatch.setenv("ARENA_REDIS_URL", "redis://cache:6379/0")
    monkeypatch.setenv("ARENA_CONTROL", "referee:7000")
    found = Settings()
    assert (found.database_url, found.redis_url, found.control) == (
        "postgresql://db/arena",
        "redis://cache:6379/0",
        "referee:7000",
    )


def test_what_is_given_counts_before_what_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://db/arena")
    assert Settings(data=Path("/data"), database_url="").database_url == "sqlite:////data/arena.db"


def test_variables_may_be_written_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("arena_tables", "3")
    assert Settings().tables == 3


@pytest.mark.parametrize("port", ["0", "65536", "eight", "-1"])
def test_a_port_for_bots_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("ARENA_BOTS_PORT", port)
    with pytest.raises(UsageError, match=f"ARENA_BOTS_PORT '{port}'"):
        Settings()


def test_an_empty_port_for_bots_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_BOTS_PORT", "")
    assert Settings().bots_port is None


@pytest.mark.parametrize(("text", "allowed"), [("", False), ("off", False), ("on", True)])
def test_private_endpoints_are_on_or_off(
    monkeypatch: pytest.MonkeyPatch, text: str, *, allowed: bool
) -> None:
    monkeypatch.setenv("ARENA_PRIVATE_ENDPOINTS", text)
    assert Settings().private_endpoints is allowed


def test_another_word_for_private_endpoints_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_PRIVATE_ENDPOINTS", "yes")
    with pytest.raises(UsageError, match="ARENA_PRIVATE_ENDPOINTS 'yes': must be on or off"):
        Settings()


def test_sockets_of_a_long_data_directory_have_a_short_path() -> None:
    found = Settings(data=Path("/") / ("d" * 200))
    assert len(os.fsencode(found.socket("control"))) <= 107


def test_sockets_of_different_long_data_directories_are_apart() -> None:
    one, other = (Settings(data=Path("/") / ("d" * 200) / name) for name in ("one", "other"))
    assert one.sockets != other.sockets


def test_a_home_directory_is_expanded() -> None:
    assert Settings(data=Path("~/x")).data == Path.home().resolve() / "x"


def test_only_a_redis_that_was_not_named_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().embeds_redis
    monkeypatch.setenv("ARENA_REDIS_URL", "redis://cache:6379/0")
    assert not Settings().embeds_redis


def test_a_data_directory_that_is_asked_for_comes_before_the_database_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://db/arena")
    assert database_url(Path("/data")) == "sqlite:////data/arena.db"


def test_a_value_that_cannot_be_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ABSENCE_S", "soon")
    with pytest.raises(UsageError, match=r"^ARENA_ABSENCE_S 'soon': Input should be a valid number"):
        read()


def test_several_referees_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CONTROL", "play1:7001, unix:/run/control.sock,play1:7001")
    assert Settings().controls == ("play1:7001", "unix:/run/control.sock")


def test_a_list_of_referees_without_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CONTROL", " , ")
    with pytest.raises(UsageError, match="ARENA_CONTROL ',': must be an address, or several"):
        Settings()


@pytest.mark.parametrize("address", ["/run/control.sock", "play1", "http://play1:7001"])
def test_referee_address_that_is_neither_a_port_nor_a_socket_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CONTROL", f"play1:7001,{address}")
    with pytest.raises(UsageError, match=f"ARENA_CONTROL '{address}': must be HOST:PORT or unix:/path"):
        Settings()


@pytest.mark.parametrize("name", ODD_NAMES)
def test_the_store_is_in_the_data_directory_whatever_that_is_called(tmp_path: Path, name: str) -> None:
    found = read(data=tmp_path / name, database_url="", redis_url="")
    assert make_url(found.database_url).database == str(tmp_path / name / "arena.db")
    assert unquote(urlsplit(found.redis_url).path) == str(found.socket("redis"))
    assert len(bytes(found.socket("referee-64-bots"))) <= MAX_PATH_BYTES


@pytest.mark.parametrize("name", Settings.model_fields)
def test_each_setting_is_read_somewhere(name: str) -> None:
    root = Path(arena.__file__).parents[1]
    read = re.compile(rf"\.{name}\b")
    files = [path for part in ("arena", "referee", "workers", "bots") for path in (root / part).rglob("*.py")]
    readers = [
        path for path in files if path.name != "settings.py" and read.search(path.read_text(encoding="utf-8"))
    ]
    assert readers, f"ARENA_{name.upper()}: nothing reads it"

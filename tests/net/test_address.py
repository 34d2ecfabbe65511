import pytest

from arena.core.errors import UsageError
from arena.net.address import Address, is_local, parse, read_tls


@pytest.mark.parametrize(
    ("text", "target", "tls"),
    [
        ("unix:/run/bot.sock", "unix:/run/bot.sock", False),
        ("bot.example.org:7001", "bot.example.org:7001", True),
        ("192.0.2.7:7001", "192.0.2.7:7001", True),
        ("[2001:db8::7]:7001", "[2001:db8::7]:7001", True),
        ("localhost:7001", "localhost:7001", False),
        ("127.0.0.5:7001", "127.0.0.5:7001", False),
        ("[::1]:7001", "[::1]:7001", False),
        ("127.example.org:7001", "127.example.org:7001", True),
        ("https://localhost:7001", "localhost:7001", True),
        ("http://bot.example.org:7001", "bot.example.org:7001", False),
    ],
)
def test_address_says_where_and_whether_with_tls(text: str, target: str, tls: bool) -> None:  # noqa: FBT001
    assert parse(text) == Address(target, tls)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bot",
        "bot:",
        ":7001",
        "bot:0",
        "bot:65536",
        "bot:7001/",
        "ftp://bot:7001",
        "https://bot",
        "https://unix:/x",
        "unix:",
        "unix:x",
        "::1:7001",
        "bot:7001\n",
        "user@bot:7001",
    ],
)
def test_what_is_no_address_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(
        UsageError, match=r"must be HOST:PORT, https://HOST:PORT, http://HOST:PORT or unix:/PATH"
    ):
        parse(text)


def test_tls_can_be_off_where_the_address_does_not_say() -> None:
    assert not parse("bot.example.org:7001", tls=False).tls
    assert parse("https://bot.example.org:7001", tls=False).tls


@pytest.mark.parametrize("target", ["0.0.0.0:7000", "[::]:7000", ":7000", "host:7000", "10.0.0.1:7000"])
def test_what_others_can_reach_is_not_local(target: str) -> None:
    assert not is_local(target)


def test_tls_is_on_or_off() -> None:
    assert (read_tls(""), read_tls("on"), read_tls("off")) == (True, True, False)
    with pytest.raises(UsageError, match="ARENA_TLS 'no': must be on or off"):
        read_tls("no")

"""Which addresses are dialled for strangers; names are looked up by the system's own resolver unless it says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.net.address import parse
from arena.net.address_policy import Forbidden, check_said, pin, why_forbidden


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("127.0.0.1", "this machine"),
        ("127.200.3.4", "this machine"),
        ("::1", "this machine"),
        ("0.0.0.0", "this machine"),  # noqa: S104
        ("::", "this machine"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("192.168.1.1", "private"),
        ("fd12::1", "private"),
        ("100.64.0.1", "reserved"),
        ("169.254.3.4", "link-local"),
        ("fe80::1", "link-local"),
        ("169.254.169.254", "a cloud's metadata service"),
        ("fd00:ec2::254", "a cloud's metadata service"),
        ("100.100.100.200", "a cloud's metadata service"),
        ("168.63.129.16", "a cloud's metadata service"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.250", "multicast"),
        ("ff02::1", "multicast"),
        ("255.255.255.255", "private"),
        ("240.0.0.1", "private"),
        ("192.0.2.1", "private"),
        ("::ffff:127.0.0.1", "this machine"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:169.254.169.254", "a cloud's metadata service"),
        ("::127.0.0.1", "reserved"),
        ("64:ff9b::10.0.0.1", "private"),
        ("2002:7f00:1::", "this machine"),
        ("2002:a9fe:a9fe::", "a cloud's metadata service"),
        ("2002:808:808::", "6to4"),
        ("fec0::1", "reserved"),
        ("5f00::1", "reserved"),
    ],
)
def test_address_that_leads_inside_is_forbidden(text: str, kind: str) -> None:
    assert why_forbidden(ip_address(text)) == kind


@pytest.mark.parametrize(
    "text",
    ["8.8.8.8", "193.99.144.80", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
)
def test_public_address_is_dialled(text: str) -> None:
    assert why_forbidden(ip_address(text)) == ""


@given(st.ip_addresses(v=4))
def test_address_of_version_4_is_judged_alike_inside_one_of_version_6(address: object) -> None:
    plain = why_forbidden(ip_address(str(address)))
    assert why_forbidden(ip_address(f"::ffff:{address}")) == plain
    assert why_forbidden(ip_address(f"64:ff9b::{address}")) == plain


@pytest.mark.parametrize("text", ["unix:/run/control.sock", "localhost:1", "[::1]:1", "http://10.0.0.1:1"])
def test_address_that_says_it_is_not_public_is_refused_unasked(text: str) -> None:
    with pytest.raises(Forbidden, match=r"ARENA_PRIVATE_ENDPOINTS=on") as refused:
        check_said(parse(text))
    assert (refused.value.code, refused.value.field) == ("address_forbidden", "address")


@pytest.mark.parametrize("text", ["bots.example.org:1", "8.8.8.8:1", "[2606:4700::1111]:1"])
def test_address_that_may_be_public_is_taken(text: str) -> None:
    check_said(parse(text))


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0", "[::ffff:7f00:1]"],
)
async def test_other_ways_to_write_this_machine_do_not_help(host: str) -> None:
    with pytest.raises(Forbidden, match="not public"):
        await pin(parse(f"http://{host}:7000"), private=False)


async def test_name_with_one_private_address_among_public_ones_is_refused() -> None:
    with pytest.raises(Forbidden, match=r"leads to one that is not public \(private\)"):
        await pin(parse("bot.test:1"), private=False, look_up=lambda _host: ["8.8.8.8", "10.0.0.1"])


async def test_name_is_looked_up_once_and_what_was_checked_is_dialled() -> None:
    answers: list[Sequence[str]] = [["8.8.8.8", "2606:4700::1111", "8.8.4.4"], ["127.0.0.1"]]
    ways = await pin(parse("bot.test:7001"), private=False, look_up=lambda _host: answers.pop(0))
    assert [(way.target, way.authority, way.tls) for way in ways] == [
        ("ipv4:8.8.8.8:7001,8.8.4.4:7001", "bot.test:7001", True),
        ("ipv6:[2606:4700::1111]:7001", "bot.test:7001", True),
    ]
    assert answers == [["127.0.0.1"]]


async def test_of_many_addresses_of_a_name_few_are_tried() -> None:
    (way,) = await pin(
        parse("bot.test:1"), private=False, look_up=lambda _host: [f"8.8.8.{n}" for n in range(99)]
    )
    assert way.target == "ipv4:8.8.8.0:1,8.8.8.1:1,8.8.8.2:1,8.8.8.3:1"


async def test_operator_may_allow_private_addresses() -> None:
    assert await pin(parse("unix:/run/bot"), private=True) == (parse("unix:/run/bot"),)
    (way,) = await pin(parse("127.0.0.1:7001"), private=True)
    assert (way.target, way.tls) == ("ipv4:127.0.0.1:7001", False)

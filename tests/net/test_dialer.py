"""What is said when there is no connection; the referee's and the SDK's tests see to the ones that are about TLS."""

import pytest

from arena.net.address import parse
from arena.net.dialer import explain


@pytest.mark.parametrize("address", ["unix:/run/bots", "127.0.0.1:7000", "https://bots.example.org:7000"])
@pytest.mark.parametrize(
    "details",
    [
        "Socket closed",
        "recvmsg:Connection reset by peer",
        "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:7000: Connection refused",
    ],
)
def test_what_is_not_about_tls_stays_as_grpc_says_it(address: str, details: str) -> None:
    assert explain(parse(address), details) == details

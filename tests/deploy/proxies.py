"""The proxies of `deploy/proxy`, in the real nginx and the real Caddy, with ports and certificates of a test."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from arena.core import child_process
from tests.certificates import issue
from tests.parts.arena_process import free_port
from tests.patience import wait_until

FOLDER = Path(__file__).parents[2] / "deploy" / "proxy"
UPSTREAM = "X-Upstream"
"""The header in which the tests' proxies name the process that answered."""


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs."""

    port: int
    plain_port: int
    bots_port: int
    ca: Path

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca)

    def get(self, path: str, **more: object) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", verify=self.context, timeout=30, **more)  # type: ignore[arg-type]

    def who_answers(self, path: str) -> str:
        """Return the address of the web process that answered; those that were tried before it stand in front of it."""
        return str(self.get(path).headers[UPSTREAM]).rpartition(" ")[2]

    def connect(self) -> ssl.SSLSocket:
        """Open a connection over TLS, with HTTP/1.1."""
        plain = socket.create_connection(("localhost", self.port), timeout=60)
        return self.context.wrap_socket(plain, server_hostname="localhost")


def find(name: str) -> str:
    """Return the path of a proxy's program; empty if it is missing."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") or ""


@contextmanager
def nginx(folder: Path, webs: Sequence[int], bots: int = 1) -> Iterator[Proxy]:
    """Run nginx before web processes and a referee, on these ports of 127.0.0.1."""
    files = issue(folder)
    proxy = Proxy(free_port(), free_port(), free_port(), files.ca)
    site = _change(
        FOLDER / "nginx.conf",
        {
            "    server 127.0.0.1:8000 max_fails=0;": "\n".join(
                f"    server 127.0.0.1:{web} max_fails=0;" for web in webs
            ),
            "    listen 80;\n    listen [::]:80;": f"    listen 127.0.0.1:{proxy.plain_port};",
            "    listen 443 ssl http2;\n    listen [::]:443 ssl http2;": f"    listen 127.0.0.1:{proxy.port} ssl http2;",
            "    listen 8001 ssl": f"    listen 127.0.0.1:{proxy.bots_port} ssl",
            "    listen [::]:8001 ssl http2 so_keepalive=30s:10s:3;\n": "",
            "server_name arena.example.org;": f"server_name localhost; add_header {UPSTREAM} $upstream_addr always;",
            "/etc/letsencrypt/live/arena.example.org/fullchain.pem": str(files.certificate),
            "/etc/letsencrypt/live/arena.example.org/privkey.pem": str(files.key),
            "grpc://127.0.0.1:8101": f"grpc://127.0.0.1:{bots}",
        },
    )
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = folder / "nginx.conf"
    main.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off;\nworker_processes 1;\npid {folder}/pid;\n"
        f"error_log {folder}/error.log;\nevents {{ worker_connections 1024; }}\n"
        f"http {{\n    access_log off;\n{temporary}    include {folder}/site.conf;\n}}\n"
    )
    command = [find("nginx"), "-e", f"{folder}/error.log", "-c", str(main)]
    with _running(command, {}, proxy, folder / "error.log"):
        yield proxy


@contextmanager
def caddy(folder: Path, webs: Sequence[int], bots: int = 1) -> Iterator[Proxy]:
    """Run Caddy before web processes and a referee, on these ports of 127.0.0.1."""
    files = issue(folder)
    proxy = Proxy(free_port(), free_port(), free_port(), files.ca)
    site = _change(
        FOLDER / "Caddyfile",
        {
            "    admin off\n": f"    admin off\n    default_bind 127.0.0.1\n    http_port {proxy.plain_port}\n    https_port {proxy.port}\n",
            "servers :443 ": f"servers 127.0.0.1:{proxy.port} ",
            "servers :8001 ": f"servers 127.0.0.1:{proxy.bots_port} ",
            "}:8001 {": f"}}:{proxy.bots_port} {{",
            "    # tls /etc/bot-arena/tls/fullchain.pem /etc/bot-arena/tls/privkey.pem": f"    tls {files.certificate} {files.key}",
            "    header_up -Forwarded": f"    header_up -Forwarded\n    header_down {UPSTREAM} {{http.reverse_proxy.upstream.hostport}}",
        },
    )
    (folder / "Caddyfile").write_text(site)
    environment = {
        "ARENA_SITE": "localhost",
        "ARENA_WEB": " ".join(f"127.0.0.1:{web}" for web in webs),
        "ARENA_REFEREE_BOTS": f"127.0.0.1:{bots}",
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    command = [find("caddy"), "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]
    with _running(command, environment, proxy, folder / "caddy.log"):
        yield proxy


def _change(file: Path, changes: Mapping[str, str]) -> str:
    """Return a configuration with what is a test's own in place of what an operator changes."""
    text = file.read_text()
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


@contextmanager
def _running(command: list[str], environment: Mapping[str, str], proxy: Proxy, log: Path) -> Iterator[None]:
    with log.open("ab") as output:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=output, stderr=output)

    def serves() -> bool:
        assert process.poll() is None, log.read_text()
        return all(map(_is_open, (proxy.port, proxy.plain_port, proxy.bots_port)))

    try:
        wait_until(serves, f"{command[0]} serves", within_s=30)
        yield
    finally:
        child_process.stop(process, grace_s=5.0)


def _is_open(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

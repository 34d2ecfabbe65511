"""Settings: everything that environment variables `ARENA_…` can set, checked in one place.

Services left empty are embedded: the store, Redis and the sockets are then in the data directory, and every part that
is given the same data directory finds them there.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import quote

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from arena.core.errors import UsageError
from arena.core.host_and_port import is_host_and_port
from arena.core.socket_folder import MAX_PATH_BYTES

Registration = Literal["open", "invitation", "closed"]

_PREFIX = "ARENA_"
MIN_SECRET_CHARS = 32
"""Characters of ARENA_SECRET."""
_LONGEST_SOCKET = "referee-64-bots.sock"
"""The longest name of a socket in the data directory: `arena up` runs 64 referees at most."""


class Settings(BaseSettings):
    """Everything that an operator may set; with nothing set, all parts run embedded on one machine."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, extra="ignore", str_strip_whitespace=True)

    data: Path = Field(default=Path("~/.local/share/bot-arena"), description="Data directory.")
    database_url: str = Field(
        default="",
        description="URL of the store, such as postgresql://arena@db/arena. Empty: SQLite in the data directory.",
    )
    redis_url: str = Field(
        default="", description="URL of Redis, such as redis://cache:6379/0. Empty: the embedded one."
    )
    control: str = Field(
        default="",
        description="Address of the referee's control port, HOST:PORT or unix:/path, or several separated by commas; workers need it, and the web for games against people. Empty: a Unix socket in the data directory.",
    )
    control_tls_cert: str = Field(
        default="",
        description="PEM file of this process's certificate, with its chain, on a control port over TCP. Set all three files or none.",
    )
    control_tls_key: str = Field(default="", description="PEM file of that certificate's key.")
    control_tls_ca: str = Field(
        default="",
        description="PEM file of the root certificates that the other side's certificate must come from.",
    )
    tls: str = Field(
        default="on",
        description="`off`: bots' ports open to other machines use no TLS, because a proxy in front provides it.",
    )
    tls_cert: str = Field(
        default="",
        description="PEM file of the certificate, with its chain, of a bots' port that is open to other machines. Set it together with its key, or neither.",
    )
    tls_key: str = Field(default="", description="PEM file of that certificate's key.")
    ca: str = Field(
        default="",
        description="PEM file of root certificates to trust in addition to the system's when dialling endpoint bots.",
    )
    private_endpoints: bool = Field(
        default=False,
        description="`on`: endpoint bots may have private and local addresses. Use the same value for all referees and all processes that add bots.",
    )
    bots_port: int | None = Field(
        default=None,
        description="Port on 127.0.0.1 where bots connect to `arena up`, as with `--bots-port`. Empty: 8001, or a free one if that is taken.",
    )
    absence_s: float = Field(
        default=1800,
        gt=0,
        le=10**9,
        description="Seconds of uptime that a match waits for a bot that is not connected, before it is forfeited. Use the same value for all workers.",
    )
    drain_s: int = Field(
        default=300,
        ge=0,
        le=10**6,
        description="Seconds that a stopping referee lets its matches continue; another referee then plays the unfinished ones again. 0: it stops at once. `arena up` does not wait.",
    )
    secret: str = Field(
        default="",
        repr=False,
        description="Key that signs browser sessions, at least 32 characters (`openssl rand -hex 32`), the same for all web processes. Empty: generated in the data directory if the web listens on a loopback address; on any other address it refuses to start.",
    )
    registration: Registration = Field(
        default="invitation",
        description="Who may create an account: `open` (anyone), `invitation` (invited people), `closed` (accounts come from `arena user create`).",
    )
    registrations_per_hour: int = Field(
        default=10,
        ge=1,
        le=10**6,
        description="Registrations without a valid invitation that one address may try in an hour. Each invitation allows 10 tries an hour of its own, from any address.",
    )
    failed_sign_ins: int = Field(
        default=100,
        ge=1,
        le=10**6,
        description="Wrong passwords that one address may try in five minutes. Right ones do not count, so a class behind one address can sign in at the same time.",
    )
    site: str = Field(
        default="",
        description="Host name of the dashboard, such as arena.example.org, or several separated by commas, without ports; other names are answered 421. The machine's own names work on the machine itself, and /health answers under any name. Empty: any name.",
    )
    allowed_packages: str = Field(
        default="numpy,onnxruntime",
        description="Packages that uploads may require if they are installed, separated by commas. Empty: none but the SDK.",
    )
    program_kinds: str = Field(
        default="python,node,static",
        description="Kinds of uploads, separated by commas: `python`, `node` (TypeScript and JavaScript, if Node is installed), `static` (Linux programs without shared libraries, on x86-64).",
    )
    submissions_per_day: int = Field(
        default=50,
        ge=0,
        le=10**6,
        description="Versions that one author may have qualified in 24 hours, uploads and bots that run elsewhere together. Use the same value for the web and all workers.",
    )
    challenges_per_day: int = Field(
        default=100, ge=0, le=10**6, description="Challenges that one author may start in 24 hours."
    )
    comparisons_per_day: int = Field(
        default=10,
        ge=0,
        le=10**6,
        description="Comparisons of two versions, of up to 500 sets, that one author may start in 24 hours.",
    )
    bots_per_author: int = Field(
        default=10,
        ge=1,
        le=10**6,
        description="Bots of one game that an author may have, and may add in a day. Withdrawn bots, house bots and those that the operator added do not count.",
    )
    upload_mib_per_author: int = Field(
        default=500, ge=1, le=1 << 30, description="MiB that the uploads of one author may take together."
    )
    weights_mib: int = Field(
        default=512,
        ge=0,
        le=1 << 20,
        description="MiB of weights that one upload may name. 0: no weights.",
    )
    weights_mib_per_author: int = Field(
        default=3072,
        ge=1,
        le=1 << 30,
        description="MiB that the weights of one author may take in the store, in addition to uploads. The default has room for six uploads of full size; the files of a bot's newest five versions are always kept.",
    )
    tables: int = Field(
        default=8,
        ge=0,
        le=64,
        description="People who may play against house bots at once, on each web process. 0: none.",
    )
    sandbox: str = Field(
        default="auto",
        description="Sandboxes for hosted bots: `auto` (where they work), `on` (a referee without one does not start), or `off`.",
    )
    bot_matches: int = Field(
        default=256,
        ge=1,
        le=256,
        description="Matches that one bot plays at once on a referee, if its `Hello` allows as many; others wait, of all tournaments together.",
    )
    bot_memory_mib: int = Field(
        default=512,
        ge=64,
        le=1 << 20,
        description="MiB of memory for one hosted bot in its sandbox, all its processes together.",
    )
    bot_processes: int = Field(
        default=32, ge=16, le=4096, description="Processes and threads of one hosted bot."
    )
    bot_cpu_s: int = Field(
        default=21_600,
        ge=60,
        le=10**9,
        description="Processor seconds of one process of a hosted bot in its lifetime; a process plays one match after another.",
    )
    bot_tmp_mib: int = Field(
        default=16,
        ge=1,
        le=1 << 16,
        description="MiB that a hosted bot may write to its /tmp, which is memory too.",
    )
    sandbox_memory_mib: int | None = Field(
        default=None,
        ge=64,
        le=1 << 30,
        description="MiB of memory for all hosted bots of a referee together; give each of several referees on a machine its share. Empty: computed from the memory available at the start.",
    )
    bundles_mib: int = Field(
        default=2048,
        ge=64,
        le=1 << 30,
        description="MiB of uploads that a referee keeps unpacked. It deletes the least recently used ones, and fetches them from the store again when they play.",
    )
    weights_cache_mib: int = Field(
        default=4096,
        ge=64,
        le=1 << 30,
        description="MiB of weights that a referee keeps on disk. It deletes the least recently used ones, never those of a running bot, and fetches them again when they are needed.",
    )
    keep_records_days: float = Field(
        default=0,
        ge=0,
        le=10**6,
        description="Days that records are kept after the end of their tournament. 0: for ever. Use the same value for all workers.",
    )
    keep_output_days: float = Field(
        default=30,
        ge=0,
        le=10**6,
        description="Days that the output of uploaded bots and the notes of all bots are kept. 0: for ever.",
    )
    keep_uploads_days: float = Field(
        default=30,
        ge=0,
        le=10**6,
        description="Days that uploads are kept after no version needs them. 0: for ever. Use the same value for all workers.",
    )
    monitoring: str = Field(
        default="",
        description="HOST:PORT of this part's metrics and health checks, such as 127.0.0.1:9101. Each process needs its own; public addresses are refused. Empty: none.",
    )
    log_level: str = Field(
        default="INFO", description="Lowest level that is logged: `DEBUG`, `INFO`, `WARNING` or `ERROR`."
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="Form of the logs: `text` (lines for people) or `json` (one object per line).",
    )

    @field_validator("bots_port", mode="before")
    @classmethod
    def _port(cls, value: object) -> object:
        """Treat an empty port as unset.  Raises UsageError if it is not a port."""
        if value in {None, ""}:
            return None
        if not (str(value).isdecimal() and 0 < int(str(value)) < 1 << 16):
            raise UsageError(f"ARENA_BOTS_PORT {value!r}: must be a port, from 1 to 65535")
        return value

    @field_validator("sandbox_memory_mib", mode="before")
    @classmethod
    def _from_machine(cls, value: object) -> object:
        """Treat an empty value as unset."""
        return None if value == "" else value

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, value: str) -> str:
        """Refuse a secret that can be guessed.  Raises UsageError, which does not show it."""
        if value and len(value) < MIN_SECRET_CHARS:
            raise UsageError(
                f"ARENA_SECRET of {len(value)} characters: must have at least {MIN_SECRET_CHARS};"
                " `openssl rand -hex 32` makes one"
            )
        return value

    @field_validator("sandbox")
    @classmethod
    def _mode(cls, value: str) -> str:
        """Check the mode.  Raises UsageError."""
        if value not in {"off", "auto", "on"}:
            raise UsageError(f"ARENA_SANDBOX {value!r}: must be off, auto or on")
        return value

    @field_validator("private_endpoints", mode="before")
    @classmethod
    def _allowed(cls, value: object) -> object:
        """Read `on` and `off`.  Raises UsageError."""
        if value not in {"", "on", "off", True, False}:
            raise UsageError(f"ARENA_PRIVATE_ENDPOINTS {value!r}: must be on or off")
        return value in {"on", True}

    @field_validator("monitoring")
    @classmethod
    def _is_address(cls, value: str) -> str:
        """Refuse an address that is not HOST:PORT.  Raises UsageError."""
        if value and not is_host_and_port(value):
            raise UsageError(
                f"ARENA_MONITORING {value!r}: must be HOST:PORT, such as 127.0.0.1:9101, or empty for no monitoring"
            )
        return value

    @field_validator("site")
    @classmethod
    def _names_hosts(cls, value: str) -> str:
        """Refuse what is no host name.  Raises UsageError."""
        for name in filter(None, map(str.strip, value.split(","))):
            if not is_host_and_port(f"{name}:443"):
                raise UsageError(
                    f"ARENA_SITE {value!r}: must be a host name such as arena.example.org, without scheme and port,"
                    " or several with commas between"
                )
        return value

    @field_validator("control")
    @classmethod
    def _names_referees(cls, value: str) -> str:
        """Refuse what is no list of addresses.  Raises UsageError."""
        if value and not value.replace(",", "").strip():
            raise UsageError(f"ARENA_CONTROL {value!r}: must be an address, or several with commas between")
        for each in filter(None, map(str.strip, value.split(","))):
            if not each.startswith("unix:") and not is_host_and_port(each):
                raise UsageError(f"ARENA_CONTROL {each!r}: must be HOST:PORT or unix:/path")
        return value

    @model_validator(mode="after")
    def _embed(self) -> Self:
        """Fill in the empty settings, so that no caller needs to know the default places."""
        self.data = self.data.expanduser().resolve()
        self.database_url = self.database_url or sqlite_url(self.data / "arena.db")
        self.redis_url = self.redis_url or self._own_redis_url
        self.control = self.control or f"unix:{self.socket('control')}"
        return self

    @property
    def controls(self) -> tuple[str, ...]:
        """The addresses of the referees' control ports, in the order in which they are tried."""
        return tuple(dict.fromkeys(filter(None, map(str.strip, self.control.split(",")))))

    @property
    def hosts(self) -> frozenset[str]:
        """The host names that the dashboard is reached by, in lower case; empty: any."""
        return frozenset(filter(None, (name.strip().lower() for name in self.site.split(","))))

    @property
    def embeds_redis(self) -> bool:
        """Whether Redis is the embedded one, not one given by URL."""
        return self.redis_url == self._own_redis_url

    @property
    def _own_redis_url(self) -> str:
        return f"unix://{quote(str(self.socket('redis')))}"

    @property
    def sockets(self) -> Path:
        """The folder of the Unix sockets: in the data directory, or, where that path is too long, one in /tmp."""
        inside = self.data / "run"
        if len(os.fsencode(inside / _LONGEST_SOCKET)) <= MAX_PATH_BYTES:
            return inside
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]
        # Always /tmp, not $TMPDIR: every part must find it, in any environment, and it must be short.
        return Path(f"/tmp/bot-arena-{os.getuid()}-{digest}")  # noqa: S108 - it is made private to its user

    def socket(self, name: str) -> Path:
        """Return the path of one of our own sockets, such as `redis`, `control` or `bots`."""
        return self.sockets / f"{name}.sock"


def sqlite_url(file: Path) -> str:
    """Return the URL of an SQLite file, as SQLAlchemy reads it: what means something in a URL is escaped."""
    return f"sqlite:///{quote(str(file))}"


@lru_cache
def settings() -> Settings:
    """Read the settings of this process, once.  Raises UsageError."""
    return read()


def database_url(data: Path | None = None) -> str:
    """Return the URL of the store: that of a data directory if one is given, otherwise that of the settings."""
    return settings().database_url if data is None else read(data=data, database_url="").database_url


def read(**given: Any) -> Settings:  # noqa: ANN401 - the fields of Settings
    """Read the settings, some of them given.  Raises UsageError naming the first variable that is wrong."""
    try:
        return Settings(**given)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        name = f"{_PREFIX}{'_'.join(map(str, wrong['loc']))}".upper()
        raise UsageError(f"{name} {str(wrong['input'])!r}: {wrong['msg']}") from error

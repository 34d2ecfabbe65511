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

    data: Path = Field(default=Path("~/.local/share/bot-arena"), description="The data directory.")
    database_url: str = Field(
        default="", description="SQLAlchemy URL of the store; empty: SQLite in the data directory."
    )
    redis_url: str = Field(
        default="", description="URL of the queue's Redis; empty: one of our own, in the data directory."
    )
    control: str = Field(
        default="",
        description="Address of a referee's control port, or several with commas between; empty: a Unix socket in the data directory.",
    )
    control_tls_cert: str = Field(
        default="", description="File of this process's certificate on the control port, with its chain."
    )
    control_tls_key: str = Field(default="", description="File of that certificate's key.")
    control_tls_ca: str = Field(
        default="",
        description="File of the root certificates of those on the other side of the control port.",
    )
    tls: str = Field(
        default="on",
        description="`off`: a bots' port that is open to other machines is in the clear; something in front does TLS.",
    )
    tls_cert: str = Field(default="", description="File of the bots' port's certificate, with its chain.")
    tls_key: str = Field(default="", description="File of that certificate's key.")
    ca: str = Field(default="", description="File of root certificates that are trusted beside the system's.")
    private_endpoints: bool = Field(
        default=False,
        description="`on`: endpoint bots may have private and local addresses too; standard `off`, public ones only.",
    )
    bots_port: int | None = Field(
        default=None,
        description="Port of 127.0.0.1 at which bots reach the referee of `arena up`; empty: 8001, or a free one.",
    )
    absence_s: float = Field(
        default=1800,
        gt=0,
        le=10**9,
        description="How long matches wait for a bot that is not connected, in seconds of uptime; then they are forfeits.",
    )
    drain_s: int = Field(
        default=300,
        ge=0,
        le=10**6,
        description="How long a referee that stops lets its matches go on, in seconds; 0: they are played again elsewhere.",
    )
    secret: str = Field(
        default="",
        repr=False,
        description="What sessions of browsers are signed with; empty: one of our own, on loopback addresses only.",
    )
    registration: Registration = Field(
        default="invitation",
        description="Who may make an account: anybody (open), the invited, nobody (closed).",
    )
    registrations_per_hour: int = Field(
        default=10,
        ge=1,
        le=10**6,
        description="How many registrations without a valid invitation an address may try in an hour.",
    )
    failed_sign_ins: int = Field(
        default=100,
        ge=1,
        le=10**6,
        description="How many wrong passwords an address may try in five minutes.",
    )
    site: str = Field(
        default="",
        description="Host name that the dashboard is reached by, or several with commas between; empty: any.",
    )
    allowed_packages: str = Field(
        default="numpy,onnxruntime",
        description="Packages that uploads may require, with commas between, as far as they are installed.",
    )
    program_kinds: str = Field(
        default="python,node,static",
        description="What uploads may be, with commas between: python, node (TypeScript, JavaScript), static (programs for x86-64).",
    )
    submissions_per_day: int = Field(
        default=50, ge=0, le=10**6, description="How many uploads one author may have qualified in 24 hours."
    )
    challenges_per_day: int = Field(
        default=100, ge=0, le=10**6, description="How many challenges one author may begin in 24 hours."
    )
    comparisons_per_day: int = Field(
        default=10,
        ge=0,
        le=10**6,
        description="How many comparisons of versions one author may begin in 24 hours.",
    )
    bots_per_author: int = Field(
        default=10, ge=1, le=10**6, description="How many bots of one game an author may have."
    )
    upload_mib_per_author: int = Field(
        default=500, ge=1, le=1 << 30, description="How many MiB the uploads of an author may have together."
    )
    weights_mib: int = Field(
        default=512,
        ge=0,
        le=1 << 20,
        description="How many MiB of weights one upload may name; 0: none.",
    )
    weights_mib_per_author: int = Field(
        default=3072,
        ge=1,
        le=1 << 30,
        description="How many MiB the weights of an author may have together.",
    )
    tables: int = Field(
        default=8,
        ge=0,
        le=64,
        description="How many people may play against house bots at once, on each web process; 0: nobody.",
    )
    sandbox: str = Field(
        default="auto",
        description="Whether hosted bots run in sandboxes: `off`, `auto` (where it works), or `on` (else no referee).",
    )
    bot_matches: int = Field(
        default=256,
        ge=1,
        le=256,
        description="The most matches that one bot plays at once on a referee; others wait.",
    )
    bot_memory_mib: int = Field(
        default=512, ge=64, le=1 << 20, description="Memory of one hosted bot in its sandbox, in MiB."
    )
    bot_processes: int = Field(
        default=32, ge=16, le=4096, description="Processes and threads of one hosted bot together."
    )
    bot_cpu_s: int = Field(
        default=21_600,
        ge=60,
        le=10**9,
        description="Processor seconds of a hosted bot's process in its life.",
    )
    bot_tmp_mib: int = Field(
        default=16, ge=1, le=1 << 16, description="What one hosted bot may write to its own /tmp, in MiB."
    )
    sandbox_memory_mib: int | None = Field(
        default=None,
        ge=64,
        le=1 << 30,
        description="Memory of all hosted bots together on a referee, in MiB; empty: from what the machine has.",
    )
    bundles_mib: int = Field(
        default=2048,
        ge=64,
        le=1 << 30,
        description="How much of uploads a referee keeps unpacked, in MiB; those that were not used for longest go first.",
    )
    weights_cache_mib: int = Field(
        default=4096,
        ge=64,
        le=1 << 30,
        description="How much of bots' weights a referee keeps, in MiB; those that were not used for longest go first.",
    )
    keep_records_days: float = Field(
        default=0,
        ge=0,
        le=10**6,
        description="For how many days after the end of their tournament records are kept; 0: for ever.",
    )
    keep_output_days: float = Field(
        default=30,
        ge=0,
        le=10**6,
        description="For how many days after the end of their tournament it is kept what bots printed; 0: for ever.",
    )
    keep_uploads_days: float = Field(
        default=30,
        ge=0,
        le=10**6,
        description="For how many days uploads are kept that have failed, or that a newer version has replaced; 0: for ever.",
    )
    monitoring: str = Field(
        default="",
        description="Address HOST:PORT of the metrics and health checks of a part, open to no stranger; empty: none.",
    )
    log_level: str = Field(default="INFO", description="DEBUG, INFO, WARNING or ERROR.")
    log_format: Literal["text", "json"] = Field(
        default="text", description="`text`: lines for people; `json`: an object on each line, for programs."
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
        """Refuse a list without any address.  Raises UsageError."""
        if value and not value.replace(",", "").strip():
            raise UsageError(f"ARENA_CONTROL {value!r}: must be an address, or several with commas between")
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
        # Always /tmp, not $TMPDIR: every part must find it, whatever its environment, and it must be short.
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

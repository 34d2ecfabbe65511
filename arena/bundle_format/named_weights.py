"""Weights that an upload names: files too large for its archive, by their SHA-256.

[weights]                       in bot.toml
"net.onnx" = "9f86d081…"        the bot finds it as weights/net.onnx, in the folder of its bot.toml
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from arena.core.errors import Refusal
from arena.core.translatable import say

FOLDER = "weights"
"""Folder of the weights, next to the bot's own files."""
MAX_FILES = 8
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_SHOWN_CHARS = 100


class WeightsFile(NamedTuple):
    """A file of weights: its name, and the SHA-256 of its bytes in hex."""

    name: str
    sha256: str


def read(value: object) -> tuple[WeightsFile, ...]:
    """Read what a manifest says, in the order of the names.  Raises Refusal naming the file."""
    if not isinstance(value, Mapping):
        raise _wrong(
            say(
                'weights {value}: must be a table [weights] of file names and SHA-256: "net.onnx" = "64 hex digits"',
                value=_shown(value),
            )
        )
    if len(value) > MAX_FILES:
        raise _wrong(
            say("weights: names {files} files, at most {most} are possible", files=len(value), most=MAX_FILES)
        )
    found = []
    for name, sha256 in sorted(value.items()):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise _wrong(
                say(
                    "weights {name}: must be the name of a file in the folder weights: letters, digits, dots, - and _, the first a letter or digit",
                    name=_shown(name),
                )
            )
        if not isinstance(sha256, str) or not is_sha256(sha256):
            raise _wrong(
                say(
                    "weights {name}: {value} is not its SHA-256, 64 lower-case hex digits; `sha256sum weights/{name}` prints it",
                    name=name,
                    value=_shown(sha256),
                )
            )
        found.append(WeightsFile(name, sha256))
    return tuple(found)


def is_sha256(text: str) -> bool:
    """Return whether a text is a SHA-256 in hex."""
    return _SHA256.fullmatch(text) is not None


def check_apart(weights: Collection[WeightsFile], paths: Collection[str]) -> None:
    """Check that no file of the upload is in the place of its weights.  Raises Refusal."""
    if not weights:
        return
    for path in paths:
        if path.partition("/")[0] == FOLDER:
            raise Refusal(
                "manifest_invalid",
                say(
                    "path {path}: the folder weights is for what bot.toml names in [weights], which is uploaded separately; take it out of the archive, or put it elsewhere",
                    path=_shown(path),
                ),
                field="weights",
            )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"


def _wrong(message: str) -> Refusal:
    return Refusal("manifest_invalid", message, field="weights")

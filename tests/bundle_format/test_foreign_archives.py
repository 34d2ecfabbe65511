"""Archives as other systems make them: one bot is found in each, or the refusal names what is in the way."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest

from arena.bundle_format import bundle
from arena.core.errors import Refusal
from tests.bundle_format.uploads import BOT, TOML, link, zipped
from tests.core.saved_texts import SAVED

MINE = {"bot.toml": TOML, "mine.py": BOT}
"""The files of the bot of `uploads`."""
EXPECTED = bundle.read_upload(zipped(MINE), "mine.zip").sha256


def below(folder: str) -> dict[str, str]:
    return {f"{folder}/{path}": text for path, text in MINE.items()}


FOREIGN = {
    "macOS, a folder": below("my-mac")
    | {"__MACOSX/._my-mac": "\0", "__MACOSX/my-mac/._bot.toml": "\0", "my-mac/.DS_Store": "\0"},
    "macOS, the files": MINE | {"__MACOSX/._bot.toml": "\0", ".DS_Store": "\0"},
    "a disk of macOS": MINE | {"._bot.toml": "\0", "._mine.py": "\0"},
    "Windows": below("My bot") | {"My bot/Thumbs.db": "\0", "My bot/desktop.ini": ""},
    "folders as entries": {"mine/": ""} | below("mine"),
    "files beside the folder": below("mine") | {"README.md": "", "LICENSE": ""},
    "two folders around it": below("mine-main/mine") | {"mine-main/README.md": ""},
    "a virtual environment": MINE
    | {"env/pyvenv.cfg": "", "env/bin/activate": "", "env/lib/python3.11/site-packages/six.py": ""},
    "compiled, and a repository": MINE | {"__pycache__/mine.cpython-311.pyc": "\0", ".git/HEAD": "ref"},
}


@pytest.mark.parametrize("files", FOREIGN.values(), ids=FOREIGN)
def test_the_bot_of_an_archive_is_the_same_whoever_packed_it(files: dict[str, str]) -> None:
    assert bundle.read_upload(zipped(files), "mine.zip").sha256 == EXPECTED


def test_links_of_a_virtual_environment_do_not_matter() -> None:
    data = link("venv/bin/python", "/usr/bin/python3")
    with pytest.raises(Refusal, match="is a symbolic link"):
        bundle.read_upload(data, "mine.zip")
    buffer = BytesIO(data)
    with ZipFile(buffer, "a") as archive:
        archive.writestr("venv/pyvenv.cfg", "home = /usr")
    assert bundle.read_upload(buffer.getvalue(), "mine.zip").sha256 == EXPECTED


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (below("one") | below("two"), "has bot.toml in 'one/', 'two/'; send an archive for each bot"),
        ({"bot.toml.txt": TOML, "mine.py": BOT}, "has no bot.toml; rename bot.toml.txt"),
        ({"mine/Bot.toml": TOML, "mine/mine.py": BOT}, "has no bot.toml; rename Bot.toml"),
    ],
)
def test_an_archive_that_is_not_clear_is_refused_by_name(files: dict[str, str], says: str) -> None:
    with pytest.raises(Refusal) as refused:
        bundle.read_upload(zipped(files), "mine.zip")
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x1f\x8b\x08\0", "gzip"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07\x01\0", "rar"),
        (b"bot.toml".ljust(257, b"\0") + b"ustar\0", "tar"),
    ],
)
def test_another_format_is_named(data: bytes, name: str) -> None:
    with pytest.raises(Refusal, match=f"its format is {name}.*; it must be a zip"):
        bundle.read_upload(data, "mine.zip")


@pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)
def test_a_manifest_is_read_however_it_was_saved(save: Callable[[str], bytes]) -> None:
    assert (
        bundle.read_upload(zipped({"bot.toml": save(TOML), "mine.py": BOT}), "mine.zip").manifest.name
        == "mine"
    )


def test_a_program_that_python_cannot_read_is_refused_by_its_encoding() -> None:
    odd = SAVED["UTF-16, as PowerShell writes it"](BOT)
    with pytest.raises(Refusal, match=r"mine\.py is text in UTF-16"):
        bundle.read_upload(zipped({"bot.toml": TOML, "mine.py": odd}), "mine.zip")
    with pytest.raises(Refusal, match="UTF-16"):
        bundle.read_upload(odd, "mine.py", game="lost_cities")

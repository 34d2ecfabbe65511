"""Bundles: what an upload is kept as."""

from __future__ import annotations

from hashlib import sha256

import pytest

from arena.bundle_format import bundle, manifest
from arena.core.errors import Refusal, UsageError
from tests.bundle_format.uploads import BOT, TOML, project, zipped


def refused(data: bytes, filename: str = "mine.zip", **more: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        bundle.read_upload(data, filename, **more)
    return caught.value


def test_a_bundle_has_the_files_and_the_checked_manifest() -> None:
    made = bundle.read_upload(project(), "mine.zip")
    files = bundle.files_of(made.data, made.sha256)
    assert set(files) == {"manifest.json", "bot/bot.toml", "bot/mine.py"}
    assert files["bot/mine.py"] == BOT.encode()
    assert manifest.from_json(files["manifest.json"].decode()) == made.manifest
    assert made.program == f"bundle:{sha256(made.data).hexdigest()}"


def test_the_same_files_are_the_same_bundle_however_they_were_zipped() -> None:
    one = zipped({"bot.toml": TOML, "mine.py": BOT})
    other = zipped({"top/mine.py": BOT, "top/bot.toml": TOML})
    assert bundle.read_upload(one, "a.zip") == bundle.read_upload(other, "b.zip")


def test_another_file_is_another_bundle() -> None:
    assert (
        bundle.read_upload(project(), "a.zip").sha256
        != bundle.read_upload(project(bot=f"{BOT}\n"), "a.zip").sha256
    )


def test_a_file_alone_needs_its_game_and_is_named_for_itself() -> None:
    made = bundle.read_upload(BOT.encode(), "my_bot.py", game="lost_cities")
    assert (made.manifest.name, made.manifest.games, made.manifest.entry) == (
        "my_bot",
        ("lost_cities",),
        "my_bot.py",
    )
    assert (
        bundle.read_upload(BOT.encode(), "my_bot.py", game="lost_cities", name="other").manifest.name
        == "other"
    )
    assert refused(BOT.encode(), "my_bot.py").field == "game"


def test_a_game_that_is_said_beside_the_manifest_must_be_one_of_it() -> None:
    assert refused(project(), game="land_unter").field == "game"


def test_a_name_that_is_said_beside_the_manifest_wins() -> None:
    assert bundle.read_upload(project(), "mine.zip", name="other").manifest.name == "other"
    assert refused(project(), name="Other").field == "name"


def test_a_program_in_another_language_is_told_how_it_takes_part() -> None:
    said = str(refused(project(TOML.replace("mine.py", "mine.jar"))))
    assert said.startswith(
        "entry 'mine.jar': must be the path of a file in the upload: in Python (my_bot.py)"
    )
    assert "`arena bot add lost_cities mine --dial-in --arena URL`" in said


def test_an_archive_without_manifest_or_entry_is_refused() -> None:
    assert refused(zipped({"mine.py": BOT})).field == "bot.toml"
    assert refused(project(TOML.replace("mine.py", "other.py"))).field == "entry"


def test_a_file_that_is_no_text_is_refused() -> None:
    assert refused(b"\x7fELF\xff", "mine.py", game="lost_cities").code == "archive_invalid"


def test_bytes_that_are_not_those_of_the_name_are_no_bundle() -> None:
    made = bundle.read_upload(project(), "mine.zip")
    with pytest.raises(UsageError, match="these are the bytes of"):
        bundle.files_of(made.data + b" ", made.sha256)


def test_a_program_names_its_bundle() -> None:
    assert bundle.sha256_of(f"bundle:{'a' * 64}") == "a" * 64
    assert bundle.sha256_of("house:lost_cities/greedy") is None
    for program in ("bundle:", "bundle:../../etc", f"bundle:{'A' * 64}"):
        with pytest.raises(UsageError, match="64 hex digits"):
            bundle.sha256_of(program)


DEEPEST = "/".join((*("x" * 20 for _ in range(8)), "y" * 25 + ".py"))
"""The longest path that is taken, in as many parts as are possible: it lies below `bot/` in the bundle."""


def test_the_longest_and_deepest_path_that_is_taken_can_be_unpacked() -> None:
    assert (len(DEEPEST), DEEPEST.count("/") + 1) == (196, 9)
    made = bundle.read_upload(zipped({"bot.toml": TOML, "mine.py": BOT, DEEPEST: "1"}), "mine.zip")
    assert f"bot/{DEEPEST}" in bundle.files_of(made.data, made.sha256)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/" * 9 + "b.py", "has 10 parts and 22 bytes; at most 9 parts and 196 bytes are possible"),
        (f"{DEEPEST}c", "has 9 parts and 197 bytes; at most 9 parts and 196 bytes are possible"),
    ],
)
def test_a_path_that_could_not_be_unpacked_is_refused_by_its_name_and_the_bound(
    path: str, words: str
) -> None:
    with pytest.raises(Refusal) as refused:
        bundle.read_upload(zipped({"bot.toml": TOML, "mine.py": BOT, path: "1"}), "mine.zip")
    assert (refused.value.code, refused.value.field) == ("path_invalid", "upload")
    assert f"path {path[:80]!r}: {words}" in str(refused.value)


def test_the_one_folder_around_everything_is_not_counted() -> None:
    inside = {"bot.toml": TOML, "mine.py": BOT, DEEPEST: "1"}
    made = bundle.read_upload(
        zipped({f"mine/{path}": content for path, content in inside.items()}), "mine.zip"
    )
    assert f"bot/{DEEPEST}" in bundle.files_of(made.data, made.sha256)

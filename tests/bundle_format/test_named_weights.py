"""Weights in a manifest: what is named, how, and what cannot be."""

from __future__ import annotations

import pytest

from arena.bundle_format import manifest
from arena.bundle_format.bundle import read_upload
from arena.core.errors import Refusal
from tests.bundle_format.uploads import BOT, TOML, project

SHA256 = "ab" * 32
NAMED = f'{TOML}[weights]\n"net.onnx" = "{SHA256}"\n'


def test_weights_are_named_with_their_sha256() -> None:
    said = manifest.read_toml(NAMED.encode())
    assert said.weights == (("net.onnx", SHA256),)
    assert manifest.from_json(said.to_json()) == said


def test_bundle_without_weights_is_the_same_as_before_there_were_any() -> None:
    assert "weights" not in manifest.read_toml(TOML.encode()).to_json()


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ('"net.onnx" = "abc"', "weights net.onnx: 'abc' is not its SHA-256"),
        (f'"net.onnx" = "{SHA256.upper()}"', "is not its SHA-256"),
        ('"net.onnx" = 7', "weights net.onnx: 7 is not its SHA-256"),
        (f'"../net" = "{SHA256}"', "weights '../net': must be the name of a file"),
        (f'".hidden" = "{SHA256}"', "must be the name of a file"),
        ("\n".join(f'"{n}.bin" = "{SHA256}"' for n in range(9)), "names 9 files, at most 8"),
    ],
)
def test_weights_that_cannot_be_are_refused_in_words(weights: str, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        manifest.read_toml(f"{TOML}[weights]\n{weights}\n".encode())
    assert words in str(refused.value)
    assert (refused.value.code, refused.value.field) == ("manifest_invalid", "weights")


def test_weights_that_are_no_table_are_refused() -> None:
    with pytest.raises(Refusal, match=r"must be a table \[weights\]"):
        manifest.read_toml(f'{TOML}weights = "net.onnx"\n'.encode())


@pytest.mark.parametrize("path", ["weights/net.onnx", "weights/other", "weights"])
def test_archive_has_nothing_where_its_weights_will_lie(path: str) -> None:
    with pytest.raises(Refusal, match="the folder weights is for what"):
        read_upload(project(NAMED, BOT, **{path: "1"}), "mine.zip")
    assert read_upload(project(TOML, BOT, **{path: "1"}), "mine.zip")

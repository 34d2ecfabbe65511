"""The manifest: what is read, and which field is named when it is wrong."""

from __future__ import annotations

import pytest

from arena.bundle_format import manifest
from arena.bundle_format.manifest import Manifest
from arena.core.errors import Refusal
from tests.bundle_format.uploads import TOML


def test_a_manifest_is_read() -> None:
    text = 'name = "mine"\ngames = ["lost_cities", "land_unter"]\nentry = "src/mine.py"\nrequires = ["Typing_Extensions", "numpy"]\ntalks = true\nmatches_at_once = 8\n'
    assert manifest.read_toml(text.encode()) == Manifest(
        "mine",
        ("lost_cities", "land_unter"),
        "src/mine.py",
        ("numpy", "typing-extensions"),
        talks=True,
        matches_at_once=8,
    )


def test_one_game_may_stand_alone() -> None:
    text = TOML.replace('games = ["lost_cities"]', 'game = "lost_cities"')
    assert manifest.read_toml(text.encode()) == Manifest("mine", ("lost_cities",), "mine.py")


def test_a_manifest_survives_its_bundle() -> None:
    said = Manifest("mine", ("lost_cities",), "a/b.py", ("numpy",), talks=True, matches_at_once=3)
    assert manifest.from_json(said.to_json()) == said


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('name = "My Bot"', "name"),
        ('name = "../up"', "name"),
        ("name = 3", "name"),
        ('games = ["chess"]', "games"),
        ("games = []", "games"),
        ('games = "lost_cities"', "games"),
        ('games = ["lost_cities", "lost_cities"]', "games"),
        ('entry = "run.sh"', "entry"),
        ("entry = 1", "entry"),
        ('requires = ["numpy==2"]', "requires"),
        ('requires = ["git+https://example.org/x"]', "requires"),
        ('requires = ["-r/etc/passwd"]', "requires"),
        ("talks = 1", "talks"),
        ("matches_at_once = 0", "matches_at_once"),
        ("matches_at_once = 257", "matches_at_once"),
        ("matches_at_once = true", "matches_at_once"),
        ("network = true", "network"),
        ('game = "land_unter"', "game"),
        ("name = ", "bot.toml"),
    ],
)
def test_a_wrong_field_is_named(line: str, field: str) -> None:
    key = line.partition(" ")[0]
    kept = [each for each in TOML.splitlines() if not each.startswith(f"{key} ")]
    with pytest.raises(Refusal) as caught:
        manifest.read_toml("\n".join([*kept, line]).encode())
    code = "name_invalid" if field == "name" else "manifest_invalid"
    assert (caught.value.code, caught.value.field) == (code, field)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Refusal, match="UTF-8"):
        manifest.read_toml(b"name = \xff")


def test_a_package_that_the_operator_has_not_allowed_is_refused() -> None:
    said = Manifest("mine", ("lost_cities",), "mine.py", ("numpy", "torch"))
    with pytest.raises(Refusal, match="torch") as caught:
        manifest.check_packages(said, {"numpy"})
    assert (caught.value.code, caught.value.field) == ("package_not_allowed", "requires")
    manifest.check_packages(said, {"numpy", "torch"})


def test_variants_and_seat_counts_are_those_of_its_games() -> None:
    toml = (
        b'name = "mine"\ngame = "bottle_imp"\nentry = "mine.py"\nvariants = ["standard"]\nseat_counts = [4]\n'
    )
    said = manifest.read_toml(toml)
    assert said.tables("bottle_imp").words("bottle_imp") == "standard at 4 seats"
    assert manifest.from_json(said.to_json()) == said


def test_a_manifest_without_variants_is_written_as_before_there_were_any() -> None:
    said = manifest.read_toml(b'name = "mine"\ngame = "bottle_imp"\nentry = "mine.py"\n')
    assert "variants" not in said.to_json()
    assert "seat_counts" not in said.to_json()


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ('variants = ["x"]', "variants", "variants 'x': there is no such table"),
        ("variants = [1]", "variants", "must be a list of texts"),
        ("seat_counts = [9]", "seat_counts", "seat_counts 9: there is no such table"),
        ("seat_counts = [true]", "seat_counts", "must be a list of numbers"),
        ("seat_counts = 2", "seat_counts", "must be a list of numbers"),
        ("seat_counts = [2, 2]", "seat_counts", "none of them twice"),
        ('variants = ["standard"]\nseat_counts = [2]', "variants", "there is no such table"),
    ],
)
def test_a_declaration_that_its_game_does_not_have_is_refused(line: str, field: str, message: str) -> None:
    toml = f'name = "mine"\ngame = "bottle_imp"\nentry = "mine.py"\n{line}\n'
    with pytest.raises(Refusal, match=message) as caught:
        manifest.read_toml(toml.encode())
    assert (caught.value.code, caught.value.field) == ("manifest_invalid", field)


def test_all_fields_that_are_wrong_are_named_at_once() -> None:
    toml = (
        'name = "Zoë"\ngames = ["chess"]\nentry = "bot.rs"\nentri = 1\nvariant = 2\ntalks = 1\nmatches_at_once = 0\n'
        'requires = ["a b"]\nweights = 3\nvariants = 4\n'
    )
    with pytest.raises(Refusal) as caught:
        manifest.read_toml(toml.encode())
    named = str(caught.value).split("; also: ")
    assert [text.split(" ")[0] for text in named] == [
        *(
            "bot.toml:",
            "bot",
            "games:",
            "entry",
            "requires",
            "talks",
            "matches_at_once",
            "weights",
            "variants",
        ),
    ]
    assert "bot.toml: 'entri', 'variant': no such field" in named[0]
    assert (caught.value.code, caught.value.field) == ("manifest_invalid", "entri")


def test_the_problems_of_a_manifest_are_translated_one_by_one() -> None:
    with pytest.raises(Refusal) as caught:
        manifest.read_toml(b'name = "My Bot"\ngames = []\nentry = "bot.py"\ntalks = 1\n')
    first, rest = caught.value.args[0].values.values()
    assert first.message.startswith("bot {name}: must be")
    assert [each.message for each in rest.values.values()] == [
        "games: must name at least one of {games}",
        "talks {talks}: must be true or false",
    ]
    assert (caught.value.code, caught.value.field) == ("name_invalid", "name")

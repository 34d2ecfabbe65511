from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import UsageError
from arena.devtools.view_messages import derive, derive_messages, locked_messages
from arena.games import codec, kept, registry
from arena.games.kernel import SILENCE, Chance, Claim, DummyPlayed, Line, Played, Said, Step, TalkLimits
from arena.games.land_unter import codec as land_unter_codec
from arena.games.land_unter.view import LandUnterView
from arena.games.lost_cities import codec as lost_cities_codec
from arena.games.view_codec import ViewCodec
from arena.v1 import land_unter_pb2, lost_cities_pb2, match_pb2
from tests.games.playing import GAMES, TABLES, Configuration, play

SEATS = st.integers(0, 5)
NAMES = st.text("aBñ ?7", max_size=8)
LINES = st.builds(Line, NAMES, st.lists(st.builds(Claim, NAMES, SEATS, NAMES, NAMES), max_size=3).map(tuple))
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(Chance, NAMES, st.lists(NAMES, max_size=4).map(tuple)),
    st.builds(Played, SEATS, NAMES, st.none() | st.integers(0, 1000)),
    st.builds(DummyPlayed, NAMES),
    st.builds(Said, SEATS, LINES, SEATS),
)


BYTES = {
    "lost_cities": "502d04cb18d944f0",
    "land_unter": "b0b9122ea52e9598",
    "bottle_imp": "889297768eb77309",
    "lifeboats": "89abe9e879adb6da",
    "teotlatolli": "6166625b29f43079",
}
"""By game: SHA-256 of the views of one match of each variant and seat count."""


@given(STEPS)
def test_any_step_survives_the_wire(step: Step) -> None:
    data = codec.step_to_proto(step).SerializeToString()
    assert codec.step_from_proto(match_pb2.Step.FromString(data)) == step


def test_simultaneous_point_zero_is_not_the_same_as_none() -> None:
    assert codec.step_to_proto(Played(0, "a", 0)) != codec.step_to_proto(Played(0, "a"))


def test_step_that_holds_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="must be one of chance, played, dummy, said"):
        codec.step_from_proto(match_pb2.Step())


@given(LINES)
def test_any_line_survives_the_wire(line: Line) -> None:
    assert codec.line_from_proto(codec.line_to_proto(line)) == line


def test_silence_is_an_empty_message() -> None:
    assert codec.line_to_proto(SILENCE).SerializeToString() == b""
    assert codec.line_from_proto(match_pb2.Line()) == SILENCE


def test_limits_survive_the_wire() -> None:
    limits = TalkLimits(280, 4, ("promise", "ask"), ("W", "K"), ("this",))
    assert codec.limits_from_proto(codec.limits_to_proto(limits)) == limits


def test_codec_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(UsageError, match=f"game 'chess': this arena has {', '.join(registry.GAMES)}"):
        codec.codec("chess")


def test_equal_views_give_equal_bytes_whatever_was_written_before() -> None:
    for name, seats in (("lost_cities", 2), ("land_unter", 4)):
        playout = play(Configuration(GAMES[name], "standard", seats), bytes(32), random.Random(4))
        views = [GAMES[name].view(state, 0) for state in playout.states()]
        first = [codec.codec(name).encode(view) for view in views]
        assert [codec.codec(name).encode(view) for view in reversed(views)] == first[::-1]


@pytest.mark.parametrize("game", BYTES)
def test_views_are_the_bytes_that_they_have_been(game: str) -> None:
    digest = hashlib.sha256()
    for table in [each for each in TABLES if each.game.id == game]:
        for state in play(table, bytes(32), random.Random(4)).states():
            for seat in range(table.seats):
                digest.update(codec.codec(game).encode(GAMES[game].view(state, seat)))
    assert digest.hexdigest()[:16] == BYTES[game]


@pytest.mark.parametrize("table", [each for each in TABLES if each.game.id in registry.GAMES], ids=str)
def test_views_are_written_as_protobuf_writes_them_and_read_again(table: Configuration) -> None:
    game, written = table.game, codec.codec(table.game.id)
    message = GetMessageClass(Default().FindMessageTypeByName(written.VIEW_TYPE))
    playout = play(table, bytes(32), random.Random(4))
    for state in playout.states():
        for seat in range(table.seats):
            view = game.view(state, seat)
            data = written.encode(view)
            assert message.FromString(data).SerializeToString(deterministic=True) == data
            assert written.decode(data) == view


def test_views_stay_right_when_more_values_come_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_KEPT", 2)
    small = ViewCodec(LandUnterView, land_unter_pb2.LandUnterView)
    playout = play(Configuration(GAMES["land_unter"], "standard", 4), bytes(32), random.Random(4))
    for state in playout.states():
        view = GAMES["land_unter"].view(state, 0)
        assert small.encode(view) == land_unter_codec.encode(view)
        assert small.decode(small.encode(view)) == view


@pytest.mark.parametrize("game", registry.GAMES)
def test_messages_of_a_game_follow_from_its_view_with_the_numbers_they_have(game: str) -> None:
    package = registry.package(game)
    derived = derive_messages(package)
    assert derived.changes == []
    assert derived.file == locked_messages(package)


def test_field_that_becomes_of_another_kind_is_refused() -> None:
    locked = FileDescriptorProto(package="a")
    kind = {"label": FieldDescriptorProto.LABEL_REPEATED, "type": FieldDescriptorProto.TYPE_SINT32}
    locked.message_type.add(name="Pair").field.add(name="place", number=1, **kind)
    with pytest.raises(UsageError, match=r"field Pair\.place: is of another kind than before"):
        derive(Pair, locked)


class Pair(NamedTuple):
    """A view that is not what the message of a claim has."""

    kind: str
    place: int


def test_view_with_other_fields_than_its_message_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"message arena\.v1\.Claim: its fields must be those of Pair; place, seat, "
    ):
        ViewCodec(Pair, match_pb2.Claim)


def test_lists_by_seat_and_colour_stand_as_the_message_says() -> None:
    playout = play(Configuration(GAMES["lost_cities"], "standard", 2), bytes(32), random.Random(4))
    view = GAMES["lost_cities"].view(playout.last, 0)
    message = lost_cities_pb2.LostCitiesView.FromString(lost_cities_codec.encode(view))
    assert tuple(message.expeditions[1].piles[3].cards) == view.expeditions[1][3]
    assert tuple(message.discards[2].cards) == view.discards[2]

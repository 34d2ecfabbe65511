"""What holds for every game, variant and seat count of the arena, and for the tiny game of the tests."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any, cast

import pytest

from arena.games import codec as game_codec
from arena.games import registry
from arena.games.kernel import ENDS, Action, Chance, Choice, IllegalAction, SetupError, Talk, places
from arena.match.record import from_json, to_json
from arena.match.verification import verify
from tests.games.playing import GAMES, TABLES, Configuration, Playout, codec, play, record

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(range(32))
LONGEST = 5_000
MAX_VIEW_BYTES = 4_096


@pytest.fixture(scope="module", params=TABLES, ids=str)
def table(request: pytest.FixtureRequest) -> Configuration:
    played: Configuration = request.param
    return played


@pytest.fixture(scope="module")
def playout(table: Configuration) -> Playout:
    return play(table, SEED, random.Random(7))


def sample(playout: Playout, count: int = 25) -> list[Any]:
    points = [point for point in playout.points if isinstance(point.decisions[0], Choice)]
    return random.Random(1).sample(points, min(count, len(points)))


def universe(playout: Playout) -> set[Action]:
    """All actions that were ever legal in a match, and some that never are."""
    game = playout.configuration.game
    actions = {
        action
        for point in playout.points
        for decision in point.decisions
        if isinstance(decision, Choice)
        for action in game.legal(point.state, decision.seat)
    }
    return actions | {
        "",
        "?",
        "play",
        "play ?",
        "PLAY 1",
        "play 01",
        "discard",
        "draw",
        "draw ",
        "pass",
        "play  R2",
    }


def test_same_seed_and_answers_give_equal_states(table: Configuration, playout: Playout) -> None:
    again = play(table, SEED, random.Random(7))
    assert again.states() == playout.states()
    assert again.steps() == playout.steps()


def test_another_seed_gives_another_match_where_there_is_chance(table: Configuration) -> None:
    by_chance = []
    for options in table.extremes():
        one, other = (table.game.new(table.setup(**options), seed) for seed in (SEED, bytes(32)))
        by_chance.append(any(isinstance(step, Chance) for step in one[1]))
        assert (one == other) is not by_chance[-1]
    assert any(by_chance)


def test_states_are_values_that_can_be_hashed(playout: Playout) -> None:
    assert len({hash(state) for state in playout.states()}) > 1


def test_decisions_stand_in_seat_order_and_are_of_one_kind(playout: Playout) -> None:
    for point in playout.points:
        seats = [decision.seat for decision in point.decisions]
        assert seats == sorted(set(seats))
        assert len({type(decision) for decision in point.decisions}) == 1


def test_legal_actions_are_some_and_differ(playout: Playout) -> None:
    for point in playout.points:
        for decision in point.decisions:
            if isinstance(decision, Choice):
                legal = playout.configuration.game.legal(point.state, decision.seat)
                assert 0 < len(legal) == len(set(legal))


def test_every_legal_action_is_accepted(playout: Playout) -> None:
    game = playout.configuration.game
    for point in sample(playout):
        for at, decision in enumerate(point.decisions):
            for action in game.legal(point.state, decision.seat):
                answers = (*point.answers[:at], action, *point.answers[at + 1 :])
                game.check(point.state, answers)
                game.apply(point.state, answers)


def test_every_other_action_is_refused_and_changes_nothing(playout: Playout) -> None:
    game, actions = playout.configuration.game, universe(playout)
    for point in sample(playout):
        before = repr(point.state)
        for at, decision in enumerate(point.decisions):
            for action in sorted(actions - set(game.legal(point.state, decision.seat))):
                answers = (*point.answers[:at], action, *point.answers[at + 1 :])
                with pytest.raises(IllegalAction):
                    game.apply(point.state, answers)
                with pytest.raises(IllegalAction):
                    game.check(point.state, answers)
        assert repr(point.state) == before


def test_too_many_or_too_few_answers_are_refused(playout: Playout) -> None:
    for point in sample(playout, 5):
        for answers in (point.answers[1:], (*point.answers, point.answers[0])):
            with pytest.raises(IllegalAction):
                playout.configuration.game.apply(point.state, answers)
            with pytest.raises(IllegalAction, match="answers: "):
                playout.configuration.game.check(point.state, answers)


def test_nothing_is_accepted_after_the_end(playout: Playout) -> None:
    with pytest.raises(IllegalAction):
        playout.configuration.game.apply(playout.last, playout.points[-1].answers)


def test_match_is_bounded_in_length(playout: Playout) -> None:
    assert len(playout.points) < LONGEST


def test_result_stands_at_the_end_and_not_before(playout: Playout) -> None:
    game = playout.configuration.game
    assert all(game.result(point.state) is None for point in playout.points)
    result = game.result(playout.last)
    assert result is not None
    assert len(result.scores) == len(result.places) == playout.setup.seats
    assert min(result.places) == 1
    assert result.end in ENDS
    assert json.loads(json.dumps(result.detail)) == result.detail


def test_places_follow_the_scores_and_part_only_equal_ones(playout: Playout) -> None:
    result = playout.configuration.game.result(playout.last)
    assert result is not None
    for (score, place), (other, behind) in permutations(zip(result.scores, result.places, strict=True), 2):
        assert place < behind or score <= other
    assert result.places == places([-place for place in result.places])


def test_record_is_right_and_survives_json(playout: Playout) -> None:
    written = record(playout)
    text = to_json(written)
    assert verify(written, playout.configuration.game) is None
    assert to_json(from_json(text)) == text
    assert verify(from_json(text), playout.configuration.game) is None
    assert "\n" not in text


def test_views_survive_the_wire(playout: Playout) -> None:
    code = codec(playout.configuration.game.id)
    for state in playout.states():
        for seat in range(playout.setup.seats):
            view = playout.configuration.game.view(state, seat)
            assert code.decode(code.encode(view)) == view


def test_views_are_bounded_in_size(playout: Playout) -> None:
    game, code = playout.configuration.game, codec(playout.configuration.game.id)
    assert max(len(code.encode(game.view(state, 0))) for state in playout.states()) <= MAX_VIEW_BYTES


def test_steps_survive_the_wire(playout: Playout) -> None:
    for step in playout.steps():
        assert game_codec.step_from_proto(game_codec.step_to_proto(step)) == step


def test_seen_hides_or_tells_the_truth(playout: Playout) -> None:
    game = playout.configuration.game
    for step in playout.steps():
        for seat in (None, *range(playout.setup.seats)):
            shown = game.seen(step, seat)
            if isinstance(step, Chance) and shown is not None:
                assert isinstance(shown, Chance)
                assert shown.name == step.name
                for group, whole in zip(shown.outcome, step.outcome, strict=True):
                    pairs = zip(group.split(), whole.split(), strict=True)
                    assert all(card in ("?", true) for card, true in pairs)


def test_the_public_sees_nothing_that_some_seat_does_not(playout: Playout) -> None:
    game = playout.configuration.game
    for step in playout.steps():
        public = game.seen(step, None)
        if isinstance(public, Chance):
            for seat in range(playout.setup.seats):
                shown = game.seen(step, seat)
                assert isinstance(shown, Chance)
                for group, less in zip(shown.outcome, public.outcome, strict=True):
                    pairs = zip(group.split(), less.split(), strict=True)
                    assert all(card in ("?", to_seat) for to_seat, card in pairs)


def test_only_seats_that_talk_are_asked_to(playout: Playout) -> None:
    for point in playout.points:
        for decision in point.decisions:
            assert isinstance(decision, Choice) or playout.setup.talks[decision.seat]
            assert not isinstance(decision, Talk) or playout.configuration.game.has_talk


@pytest.mark.parametrize("game", GAMES)
def test_unknown_variants_seats_and_options_are_refused(game: str) -> None:
    found = GAMES[game]
    variant, counts = next(iter(found.variants.items()))
    beyond = [
        {option.name: value}
        for option in found.options(variant, counts[0])
        for value in (option.low - 1, option.high + 1)
    ]
    for arguments in (
        {"seats": counts[0], "variant": "nonsense"},
        {"seats": counts[-1] + 1},
        {"seats": counts[0] - 1},
        *[{"seats": counts[0], "options": options} for options in ({"nonsense": 1}, *beyond)],
    ):
        with pytest.raises(SetupError):
            found.setup(**cast("Any", arguments))


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_has_the_same_files(game: str) -> None:
    folder = registry.package(game).folder
    for name in (
        "__init__.py",
        "state.py",
        "view.py",
        "rules.py",
        "sampler.py",
        "codec.py",
        "board/board.html",
    ):
        assert (folder / name).is_file(), name
    protos = ROOT / "protos" / "arena" / "v1" if is_ours(game) else folder
    assert (protos / f"{game}.proto").is_file()


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_names_its_view_message(game: str) -> None:
    title = "".join(word.capitalize() for word in game.split("_"))
    package = "arena.v1" if is_ours(game) else registry.package(game).module
    assert f"{package}.{title}View" == game_codec.codec(game).VIEW_TYPE


def is_ours(game: str) -> bool:
    """Whether a game comes with the arena, and not from outside."""
    return registry.package(game).module.startswith("arena.games.")

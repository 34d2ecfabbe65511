"""What came of a step, in words: what is told is right, and gives nothing away."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from arena.core.translatable import Wording
from arena.games import registry
from arena.games.kernel import SILENCE, Answer, Choice, Claim, Line, Played, Said, advance
from arena.games.narrating import Happening, Moment, list_scores, nothing_came_of_it
from arena.games.registry import GAMES
from arena.web.boards import is_open_game, public_scene
from arena.web.boards.story import Story
from tests.games.playing import TABLES, Configuration, play
from tests.games.test_leaks import TWINS

TABLES_HERE = [table for table in TABLES if table.game.id in GAMES]
CLOSED = [table for table in TABLES_HERE if not is_open_game(table.game.id)]


def tell(table: Configuration, only: int | None = None) -> list[list[str]]:
    """Narrate a random match, from all views or from one seat's alone."""
    playout, package = play(table, bytes(32), random.Random(4)), registry.package(table.game.id)
    assert package.drawing is not None
    states = playout.states()
    seats = range(table.seats)
    views = [
        package.drawing.mask(
            [table.game.view(state, seat) if only in {None, seat} else None for seat in seats]
        ).view
        for state in states
    ]
    told = []
    for before, after in pairwise(views):
        happening = Happening(
            before=before, after=after, steps=(), said=(), names=tuple(f"bot-{seat}" for seat in seats)
        )
        told.append(list(package.narrate(happening)))
    return told


@pytest.mark.parametrize("table", CLOSED, ids=str)
def test_narration_needs_no_more_than_what_any_seat_sees(table: Configuration) -> None:
    told = tell(table)
    assert all(tell(table, seat) == told for seat in range(table.seats))


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_every_match_has_something_to_tell(table: Configuration) -> None:
    told = [sentence for each in tell(table) for sentence in each]
    assert all(isinstance(sentence, Wording) for sentence in told)
    assert told


def test_a_game_without_narration_tells_nothing() -> None:
    happening = Happening(before=None, after=None, steps=(), said=(), names=())
    assert nothing_came_of_it(happening) == ()


def test_scores_are_written_with_a_minus_and_without_nameless_sides() -> None:
    assert list_scores(("a", "b"), (-3, 4, 9)) == "a −3, b 4"


@pytest.mark.parametrize(("voted", "words"), [("W", "✓ liar keeps"), ("K", "✗ liar breaks")])
def test_a_promise_is_held_to_the_vote(voted: str, words: str) -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "lifeboats")
    state = play(table, bytes(32), random.Random(4)).states()[0]
    view = table.game.view(state, 0)._replace(vote="leak")
    happening = Happening(
        before=view,
        after=view,
        steps=(Played(0, f"vote {voted}"),),
        said=(Said(0, Line("", (Claim("promise", 0, "W", "this"),)), 0),),
        names=("liar", *(f"bot-{seat}" for seat in range(1, table.seats))),
    )
    (told,) = registry.package("lifeboats").narrate(happening)
    assert told.startswith(words)


@pytest.mark.parametrize(
    ("ballot", "words"), [("vote W", "✓ liar keeps"), ("vote K", "✗ liar breaks"), ("hat", "✗ liar breaks")]
)
def test_a_promise_is_remembered_through_another_vote(ballot: str, words: str) -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "lifeboats")
    view = table.game.view(play(table, bytes(32), random.Random(4)).states()[0], 0)
    leak, move = view._replace(vote="leak"), view._replace(vote="move")
    promise = Said(0, Line("", (Claim("promise", 0, "W", "move"), Claim("promise", 0, "O", "this"))), 0)
    happening = Happening(
        before=move,
        after=move,
        steps=(Played(0, ballot),),
        said=(),
        names=("liar", *(f"bot-{seat}" for seat in range(1, table.seats))),
        past=(Moment(leak, (promise,)), Moment(leak, (Played(0, "vote O"),))),
    )
    (told,) = registry.package("lifeboats").narrate(happening)
    assert told.startswith(words)


def test_a_promise_is_settled_by_one_vote() -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "lifeboats")
    view = table.game.view(play(table, bytes(32), random.Random(4)).states()[0], 0)._replace(vote="leak")
    promise = Said(0, Line("", (Claim("promise", 0, "W", "this"),)), 0)
    happening = Happening(
        before=view,
        after=view,
        steps=(Played(0, "vote K"),),
        said=(),
        names=tuple(f"bot-{seat}" for seat in range(table.seats)),
        past=(Moment(view, (promise,)), Moment(view, (Played(0, "vote W"),))),
    )
    assert registry.package("lifeboats").narrate(happening) == []


@pytest.mark.parametrize("name", [name for name in TWINS if name in GAMES])
def test_sentences_are_the_same_where_only_what_is_hidden_differs(name: str) -> None:
    game, spoken = GAMES[name], 0
    for seed in range(40):
        chooser = random.Random(seed)
        pair = TWINS[name](chooser, 0, chooser.random())
        who = [f"bot-{seat}" for seat in range(pair[0].seats)]
        states, stories = [each.state for each in pair], [Story(name, who) for _ in pair]
        for state, story in zip(states, stories, strict=True):
            story.tell(state, ())
        while game.to_act(states[0]) and game.to_act(states[0]) == game.to_act(states[1]):
            answers: list[Answer] = []
            for decision in game.to_act(states[0]):
                if isinstance(decision, Choice):
                    first, second = (game.legal(state, decision.seat) for state in states)
                    answers += (
                        [chooser.choice(both)] if (both := [each for each in first if each in second]) else []
                    )
                else:
                    answers.append(SILENCE)
            if len(answers) < len(game.to_act(states[0])):
                break
            try:
                played = [advance(game, state, answers, 0) for state in states]
            except IndexError:
                break  # a twin's chance is written out for the match that was played, no further
            states = [state for state, _, _ in played]
            seen = [[game.seen(step, None) for step in steps] for _, steps, _ in played]
            tables = [public_scene(name, state, who).table for state in states]
            if seen[0] != seen[1] or tables[0] != tables[1]:
                break  # what was hidden came to light: from here on the matches differ for everybody
            told = [
                story.tell(state, steps) for story, (state, steps, _) in zip(stories, played, strict=True)
            ]
            assert told[0] == told[1]
            assert stories[0].sheet == stories[1].sheet
            spoken += len(told[0])
    assert spoken

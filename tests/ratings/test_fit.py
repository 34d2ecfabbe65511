"""The fit, against what can be computed otherwise: closed forms, a published example, Hunter's MM iteration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, log10
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.elo_table import Rated, rate
from arena.ratings.fit import solve
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, expected
from arena.ratings.rating_data import of
from arena.ratings.totals import UNITS_PER_POINT, PairTotal, total
from tests.examples import scaled
from tests.ratings.truth import World


def fit(totals: Sequence[PairTotal], **arguments: Any) -> tuple[Rated, ...]:
    return rate(of(totals, {}), **arguments).rows


def elo(totals: Sequence[PairTotal], **arguments: Any) -> dict[str, float]:
    return {row.name: row.elo for row in fit(totals, **arguments)}


def wins(*pairs: tuple[str, str, float, float]) -> tuple[PairTotal, ...]:
    """Totals from points: (a, b, points of a, points of b)."""
    return tuple(
        PairTotal(a, b, round(won * UNITS_PER_POINT), round(lost * UNITS_PER_POINT))
        for a, b, won, lost in pairs
    )


def mm(totals: Sequence[PairTotal], prior: float) -> dict[str, float]:
    """Fit by the MM iteration of Hunter 2004, equation (3), in plain Python; the mean stands at 1500."""
    points: dict[tuple[str, str], float] = {}
    for pair in totals:
        points[pair.low, pair.high] = pair.low_units / UNITS_PER_POINT
        points[pair.high, pair.low] = pair.high_units / UNITS_PER_POINT
    names = sorted({name for name, _ in points})
    met = {
        name: sum(points[name, b] + points[b, name] for b in names if (name, b) in points) for name in names
    }
    for a, b in [key for key in points if key[0] < key[1]]:
        draws = prior * (points[a, b] + points[b, a]) * (1 / met[a] + 1 / met[b])
        points[a, b] += draws / 2
        points[b, a] += draws / 2
    strength = dict.fromkeys(names, 1.0)
    for _ in range(20_000):
        updated = {}
        for a in names:
            others = [b for b in names if (a, b) in points]
            won = sum(points[a, b] for b in others)
            updated[a] = won / sum(
                (points[a, b] + points[b, a]) / (strength[a] + strength[b]) for b in others
            )
        centre = exp(sum(map(log, updated.values())) / len(names))
        updated = {name: value / centre for name, value in updated.items()}
        moved = max(abs(log(updated[name] / strength[name])) for name in names)
        strength = updated
        if moved < 1e-12:
            break
    return {name: 1500 + 400 * log10(value) for name, value in strength.items()}


def test_nothing_played_has_no_table() -> None:
    assert fit(()) == ()


@pytest.mark.parametrize(("won", "lost"), [(9, 3), (1, 0), (0.5, 0.5), (100, 1)])
def test_two_bots_differ_by_the_closed_form_with_a_virtual_draw_each(won: float, lost: float) -> None:
    ratings = elo(wins(("a", "b", won, lost)))
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * log10((won + 1) / (lost + 1)), abs=0.1)
    assert ratings["a"] + ratings["b"] == pytest.approx(3000, abs=0.1)


def test_without_a_prior_it_is_the_plain_maximum_likelihood() -> None:
    ratings = elo(wins(("a", "b", 9, 3)), prior=0.0)
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * log10(3), abs=0.1)


def test_a_chain_adds_up_the_closed_forms_without_a_prior() -> None:
    ratings = elo(wins(("a", "b", 2, 1), ("b", "c", 3, 1), ("c", "d", 5, 1)), prior=0.0)
    assert ratings["a"] - ratings["d"] == pytest.approx(400 * log10(2 * 3 * 5), abs=0.1)


def test_a_published_table_comes_out_as_published() -> None:
    """Agresti, Categorical Data Analysis, the example of the American League's eastern division of 1987.

    The strengths relative to Baltimore are those printed there, on the logit scale.
    """
    teams = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
    won = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
    published = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0)
    totals = wins(
        *(
            (teams[i], teams[j], won[i][j], won[j][i])
            if teams[i] < teams[j]
            else (teams[j], teams[i], won[j][i], won[i][j])
            for i in range(7)
            for j in range(i)
        )
    )
    ratings = elo(totals, prior=0.0)
    logits = [(ratings[team] - ratings["Baltimore"]) * log(10) / 400 for team in teams]
    assert logits == pytest.approx(published, abs=0.006)


pair_lists = st.lists(
    st.tuples(
        st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] < pair[1]),
        st.integers(0, 2000),
        st.integers(0, 2000),
    ).filter(lambda pair: pair[1] + pair[2] > 0),
    min_size=1,
    max_size=20,
    unique_by=lambda pair: pair[0],
)


@given(pair_lists, st.sampled_from([0.3, 1.0, 2.0]))
@settings(max_examples=scaled(25))
def test_it_agrees_with_the_mm_iteration(pairs: list[tuple[tuple[int, int], int, int]], prior: float) -> None:
    connected = [((0, i), 140, 140) for i in range(1, 8)]
    seen = {key for key, _, _ in pairs}
    everything = [*pairs, *(pair for pair in connected if pair[0] not in seen)]
    totals = [PairTotal(f"bot{a}", f"bot{b}", low, high) for (a, b), low, high in everything]
    assert elo(totals, prior=prior) == pytest.approx(mm(totals, prior), abs=0.11)


@given(pair_lists, st.randoms())
@settings(max_examples=scaled(25))
def test_the_order_of_the_totals_does_not_matter(
    pairs: list[tuple[tuple[int, int], int, int]], random: object
) -> None:
    totals = [PairTotal(f"bot{a}", f"bot{b}", low, high) for (a, b), low, high in pairs]
    shuffled = sorted(totals, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert fit(shuffled) == fit(totals)


def test_expected_points_are_the_points_that_were_taken() -> None:
    totals = wins(("a", "b", 7, 3), ("a", "c", 8, 2), ("b", "c", 4, 6))
    ratings = elo(totals, prior=0.0)
    assert 10 * (
        expected(ratings["a"], ratings["b"]) + expected(ratings["a"], ratings["c"])
    ) == pytest.approx(15, abs=0.01)


def test_the_anchor_stands_at_1500() -> None:
    assert elo(wins(("a", "b", 9, 3)), anchor="b")["b"] == 1500.0


def test_an_anchor_that_did_not_play_leaves_the_mean_at_1500() -> None:
    totals = wins(("a", "b", 9, 3))
    assert elo(totals, anchor="greedy@1") == elo(totals)


def test_groups_that_never_met_are_fitted_by_themselves() -> None:
    totals = wins(("a", "b", 9, 3), ("c", "d", 5, 0), ("d", "e", 1, 1))
    rows = {row.name: row for row in fit(totals)}
    assert [rows[name].component for name in "abcde"] == [1, 1, 0, 0, 0]
    assert rows["a"].elo + rows["b"].elo == pytest.approx(3000, abs=0.1)
    assert {name: rows[name].elo for name in "ab"} == elo(totals[:1])


def test_the_anchors_group_comes_first() -> None:
    totals = wins(("a", "b", 9, 3), ("c", "d", 5, 0), ("d", "e", 1, 1))
    rows = {row.name: row for row in fit(totals, anchor="a")}
    assert [rows[name].component for name in "abcde"] == [0, 0, 1, 1, 1]
    assert rows["a"].elo == 1500.0


def test_who_won_everything_has_a_finite_rating() -> None:
    ratings = elo(wins(("a", "b", 1000, 0)))
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * log10(1001), abs=0.1)


def test_ratings_are_tenths() -> None:
    for row in fit(wins(("a", "b", 9, 3), ("b", "c", 1, 5))):
        assert row.elo == round(row.elo, 1)


def test_a_thousand_bots_in_a_chain_are_fitted() -> None:
    names = [f"bot{i:04}" for i in range(1000)]
    totals = wins(*((a, b, 2, 1) for a, b in pairwise(names)))
    ratings = elo(totals, prior=0.0)
    assert ratings[names[0]] - ratings[names[-1]] == pytest.approx(999 * 400 * log10(2), abs=1.0)


def test_known_strengths_are_found_again() -> None:
    rng = np.random.default_rng(7)
    truth = rng.normal(1500, 200, 400)
    met = sorted({tuple(sorted(rng.choice(400, 2, replace=False))) for _ in range(8000)})
    won = rng.binomial(20, [expected(truth[a], truth[b]) for a, b in met])
    ratings = elo(
        wins(*((f"{a:03}", f"{b:03}", taken, 20 - taken) for (a, b), taken in zip(met, won, strict=True)))
    )
    errors = np.array([ratings[f"{i:03}"] for i in range(400)]) - (truth - truth.mean() + 1500)
    assert abs(errors.mean()) < 1
    assert np.sqrt((errors**2).mean()) < 20


def test_the_maximum_is_that_of_choix() -> None:
    import choix  # here, since it takes half a second, in each process that only collects the tests, too

    # choix (L. Maystre, PyPI) maximises the same likelihood of pairwise comparisons by an algorithm of its own.
    played = World(np.linspace(-1, 1, 12), seats=2)
    totals, _ = played.play(400, np.random.default_rng(7))
    number = {name: i for i, name in enumerate(played.elo)}
    comparisons = [
        (number[winner], number[loser])
        for pair in totals
        for winner, loser, units in (
            (pair.low, pair.high, pair.low_units),
            (pair.high, pair.low, pair.high_units),
        )
        for _ in range(units // UNITS_PER_POINT)
    ]
    theirs = choix.opt_pairwise(12, comparisons) * POINTS_PER_E + MEAN_ELO
    ours = elo(totals, prior=0.0)
    assert [ours[name] for name in number] == pytest.approx(list(theirs), abs=0.1)


def test_where_the_fit_starts_does_not_matter() -> None:
    for bots, sets in ((40, 300), (500, 4000)):  # eliminated, and iterated
        played = World(np.linspace(-2, 2, bots), seats=2)
        inputs = of(*played.play(sets, np.random.default_rng(9)))
        cold = solve(inputs.totals)
        chance = np.random.default_rng(10)
        for spread in (0.05, 50, 1000):
            start = {
                name: float(elo + spread * chance.normal())
                for name, elo in zip(cold.names, cold.elo, strict=True)
            }
            del start[cold.names[0]]
            assert np.abs(solve(inputs.totals, start=start).elo - cold.elo).max() < 1e-6
            assert rate(inputs, start=start) == rate(inputs)


@pytest.mark.slow
def test_tables_of_three_agree_with_the_plackett_luce_model_of_choix() -> None:
    import choix

    # Of whole rankings choix takes a little more than their pairs tell; both are right, so they come to the same.
    played = World(np.linspace(-0.8, 0.8, 8), seats=3)
    matches = [match for each in played.sets(1500, np.random.default_rng(11)) for match in each]
    number = {name: i for i, name in enumerate(played.elo)}
    rankings = [
        [number[name] for _, name in sorted(zip(places, names, strict=True))] for names, places, _ in matches
    ]
    theirs = choix.ilsr_rankings(8, [tuple(each) for each in rankings]) * POINTS_PER_E + MEAN_ELO
    ours = elo(total(matches), prior=0.0)
    assert [ours[name] for name in number] == pytest.approx(list(theirs), abs=5)

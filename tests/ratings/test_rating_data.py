"""Inputs: canonical columns and their SHA-256."""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.model import ALGORITHM
from arena.ratings.rating_data import Inputs, gather, of
from arena.ratings.set_clusters import SetTotal, count
from arena.ratings.totals import PairTotal, total
from tests.examples import scaled
from tests.ratings.test_totals import Match, some_match

EMPTY: dict[SetTotal, int] = {}


def of_matches(matches: list[Match], size: int = 2) -> Inputs:
    """Take each `size` matches for a set."""
    sets = [total(matches[at : at + size]) for at in range(0, len(matches), size)]
    return of(total(matches), count(sets))


def test_the_digest_can_be_computed_by_hand() -> None:
    first, second = PairTotal("a@1", "b@1", 280, 0), PairTotal("a@1", "b@1", 0, 280)
    table = (PairTotal("a@1", "c@1", 210, 0), PairTotal("b@1", "c@1", 0, 210))
    totals = (PairTotal("a@1", "b@1", 280, 560), *table)
    given_rows = of(totals, {(first,): 1, (second,): 2, table: 1})
    written = (
        f"{ALGORITHM}\n"
        "a@1\tb@1\t280\t560\n"
        "a@1\tc@1\t210\t0\n"
        "b@1\tc@1\t0\t210\n"
        "\n"
        "2\ta@1\tb@1\t0\t280\n"
        "1\ta@1\tb@1\t280\t0\n"
        "1\ta@1\tc@1\t210\t0\tb@1\tc@1\t0\t210\n"
    )
    assert given_rows.sha256 == sha256(written.encode()).hexdigest()
    assert given_rows.complete


@given(st.lists(some_match(), max_size=8), st.integers(0, 99))
@settings(max_examples=scaled(60))
def test_how_a_store_numbers_and_orders_its_rows_does_not_matter(matches: list[Match], seed: int) -> None:
    expected = of_matches(matches)
    chance = random.Random(seed)
    names = sorted({name for pair in total(matches) for name in (pair.low, pair.high)})
    ids = dict(zip(chance.sample(range(1, 50), len(names)), names, strict=True))
    number = {name: version for version, name in ids.items()}

    def row(pair: PairTotal) -> tuple[int, int, int, int]:
        low, high = number[pair.low], number[pair.high]
        if low < high:
            return low, high, pair.low_units, pair.high_units
        return high, low, pair.high_units, pair.low_units

    pairs = [row(pair) for pair in total(matches)]
    sets = [(at, *row(pair), 1) for at in range(0, len(matches), 2) for pair in total(matches[at : at + 2])]
    chance.shuffle(pairs)
    chance.shuffle(sets)
    found = gather(ids, pairs, sets)
    assert found == expected
    assert found.complete
    assert found.totals.names == expected.totals.names
    assert found.sets.count.tolist() == expected.sets.count.tolist()
    assert found.sets.low_units.tolist() == expected.sets.low_units.tolist()


@given(st.lists(some_match(), min_size=1, max_size=8), st.randoms())
@settings(max_examples=scaled(40))
def test_which_matches_make_a_set_is_part_of_the_digest(matches: list[Match], chance: random.Random) -> None:
    whole, parted = of_matches(matches, len(matches)), of_matches(matches, 1)
    rated = [match for match in matches if total([match])]
    assert (whole == parted) == (len(rated) < 2)


def test_sets_that_do_not_add_up_are_noticed() -> None:
    pair, other = PairTotal("a", "b", 280, 0), PairTotal("a", "b", 0, 280)
    both = (PairTotal("a", "b", 280, 280),)
    assert of(both, {(pair,): 1, (other,): 1}).complete
    assert not of(both, {(pair,): 2}).complete
    assert not of(both, {(pair,): 1}).complete
    assert not of(both, EMPTY).complete
    assert not of(both, {(pair,): 1, (other,): 1, (PairTotal("a", "c", 280, 0),): 1}).complete


def test_the_text_that_docs_show_is_the_one_that_is_hashed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text()
    shown = f"{ALGORITHM}\n" + page.split(f"```\n{ALGORITHM}\n")[1].split("```")[0]
    even, won = PairTotal("greedy@1", "random@1", 280, 280), PairTotal("greedy@1", "random@1", 560, 0)
    other = PairTotal("greedy@1", "rusher@1", 280, 280)
    totals = (PairTotal("greedy@1", "random@1", 840, 280), other)
    found = of(totals, {(even,): 1, (won,): 1, (other,): 1})
    assert found.complete
    assert found.sha256 == sha256(shown.encode()).hexdigest()


def test_nothing_played_is_complete() -> None:
    nothing = of((), EMPTY)
    assert nothing.complete
    assert nothing.sha256 == sha256(f"{ALGORITHM}\n\n".encode()).hexdigest()


def test_the_digest_of_many_sets_is_that_of_their_lines() -> None:
    """They are written a part at a time; a part may end inside a set."""
    sets = [
        tuple(
            PairTotal(low, high, units, 10_000 - units)
            for (low, high), units in zip((("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")), won, strict=True)
        )
        for won in ((number, number % 7, number % 11) for number in range(3000))
    ]
    pairs = [
        PairTotal(
            low, high, sum(each[at].low_units for each in sets), sum(each[at].high_units for each in sets)
        )
        for at, (low, high) in enumerate((("a@1", "b@1"), ("a@1", "c@1"), ("b@1", "c@1")))
    ]

    def line(of_set: tuple[PairTotal, ...]) -> str:
        return "\t".join(f"{each.low}\t{each.high}\t{each.low_units}\t{each.high_units}" for each in of_set)

    totals = "".join(f"\n{line((each,))}" for each in pairs)
    written = f"{ALGORITHM}{totals}\n" + "".join(f"\n1\t{line(each)}" for each in sets) + "\n"
    found = of(pairs, dict.fromkeys(sets, 1))
    assert found.sha256 == sha256(written.encode()).hexdigest()
    assert found.complete

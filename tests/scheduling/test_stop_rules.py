from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import Refusal, UsageError
from arena.ratings.sprt import Sprt
from arena.scheduling import stop_rules
from arena.scheduling.stop_rules import Separated, StopRule

RULES: st.SearchStrategy[StopRule] = st.builds(Separated, st.integers(1, 20)) | st.builds(
    Sprt,
    elo0=st.integers(-20, 0).map(float),
    elo1=st.integers(1, 20).map(float),
    alpha=st.sampled_from([0.01, 0.05]),
    beta=st.sampled_from([0.05, 0.1]),
)


@given(RULES)
def test_any_rule_is_read_as_it_was_written(rule: StopRule) -> None:
    assert stop_rules.parse(stop_rules.written(rule)) == rule
    assert stop_rules.stop_from_json(stop_rules.stop_to_json(rule)) == rule


@pytest.mark.parametrize(
    "text", ["", "separated", "separated:x", "sprt:0", "sprt:0,5,0.05", "sprt:0,inf", "elo:3"]
)
def test_what_is_no_rule_is_refused_with_what_one_is(text: str) -> None:
    with pytest.raises(Refusal, match="must be separated:K or sprt:ELO0,ELO1"):
        stop_rules.parse(text)


def test_test_that_cannot_be_is_refused_by_its_reason() -> None:
    with pytest.raises(Refusal, match="elo"):
        stop_rules.parse("sprt:5,0")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rule": "luck"}, "rule must be separated"),
        ({"rule": "sprt", "elo0": "x"}, "sprt has elo0, elo1, alpha and beta"),
        ({"rule": "separated", "top": "two"}, "rule must be separated, with top"),
    ],
)
def test_stored_rule_that_cannot_be_is_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        stop_rules.stop_from_json(given)


def test_rules_say_in_words_what_has_to_be_shown() -> None:
    assert str(stop_rules.describe_aim(Separated(1))) == "the best is separated at 95 %"
    assert str(stop_rules.describe_aim(Separated(3))) == "the best 3 are separated at 95 %"
    assert "elo0 = 0 or elo1 = 10 is accepted" in str(stop_rules.describe_aim(Sprt(0, 10)))

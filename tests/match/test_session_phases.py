"""The phases of a session: what may happen in each, and what is a mistake of the caller."""

from __future__ import annotations

import pytest

from arena.match.session_phases import TRANSITIONS, Cause, Phase, follow


def test_every_phase_leads_to_the_end_and_nothing_leads_out_of_it() -> None:
    reached = {Phase.OVER}
    for _ in Phase:
        reached |= {before for (before, _), after in TRANSITIONS.items() if after in reached}
    assert reached == set(Phase)
    assert not [before for before, _ in TRANSITIONS if before is Phase.OVER]


@pytest.mark.parametrize(
    ("phase", "cause"),
    [(each, cause) for each in Phase for cause in Cause if (each, cause) not in TRANSITIONS],
)
def test_what_cannot_happen_in_a_phase_is_an_error(phase: Phase, cause: Cause) -> None:
    with pytest.raises(RuntimeError, match=f"a session that is {phase.value} cannot {cause.value}"):
        follow(phase, cause)

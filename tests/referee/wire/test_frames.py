from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.codec import limits_to_proto, step_to_proto
from arena.games.kernel import Step, TalkLimits
from arena.match.session_events import DecisionRequested
from arena.v1.bot_pb2 import ArenaMessage, Ask, ConnectResponse
from referee.wire import frames
from tests.games.test_codec import STEPS

NUMBERS = st.integers(0, 2**32 - 1) | st.integers(0, 300)
LIMITS = TalkLimits(280, 4, ("promise", "ask"), ("W", "K"), ("this",))


@given(
    number=NUMBERS,
    decision=NUMBERS,
    actions=st.lists(st.text(max_size=12), max_size=5).map(tuple),
    seen=st.lists(STEPS, max_size=4).map(tuple),
    talk=st.none() | st.just(LIMITS),
    bank_ms=st.floats(-5, 2**32 - 1),
    limit_ms=st.floats(0, 100_000),
    view=st.binary(max_size=300),
)
def test_any_ask_is_a_message_of_protobuf(
    number: int,
    decision: int,
    actions: tuple[str, ...],
    seen: tuple[Step, ...],
    talk: TalkLimits | None,
    bank_ms: float,
    limit_ms: float,
    view: bytes,
) -> None:
    ask = DecisionRequested(0, decision, actions, talk, seen, bank_ms, limit_ms)
    expected = Ask(
        table=number,
        decision=decision,
        actions=actions,
        talk=limits_to_proto(talk) if talk else None,
        seen=[step_to_proto(step) for step in seen],
        bank_ms=max(0, int(bank_ms)),
        limit_ms=int(limit_ms),
        view=view,
    )
    assert ConnectResponse.FromString(frames.ask(number, ask, view)) == ConnectResponse(
        messages=[ArenaMessage(ask=expected)]
    )

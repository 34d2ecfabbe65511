"""The table of system calls: each call is listed once, and each option has a reason."""

from __future__ import annotations

from referee.sandbox import syscall_table


def test_no_call_is_both_free_and_bound_by_options() -> None:
    free = " ".join(syscall_table.FREE.values()).split()
    bound = {name for rule in syscall_table.RULES for name in rule.calls.split()}
    absent = syscall_table.ABSENT.split()
    assert len(free) == len(set(free))
    assert not set(free) & bound
    assert not (set(free) | bound) & set(absent)


def test_each_rule_has_a_reason_and_some_value() -> None:
    for rule in syscall_table.RULES:
        assert rule.reason
        assert rule.alternatives()


def test_bits_that_are_not_known_are_refused_and_those_beyond_an_int_do_not_count() -> None:
    flags = syscall_table._flags(1, 0b101)
    assert [value for value in range(9) if flags.allows(value)] == [0, 1, 4, 5]
    assert flags.allows(1 << 32 | 4)
    assert not flags.allows(1 << 31)

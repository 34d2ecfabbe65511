"""The table of system calls (`syscall_table.py`) as a program for the kernel (seccomp, by way of libseccomp).

An allowlist of calls and of their options.  All else fails with EPERM, or with an error that makes a C library fall back.
"""

from __future__ import annotations

import errno
import tempfile
from contextlib import suppress
from itertools import product

from arena.core.errors import ArenaError
from referee.sandbox.syscall_table import ABSENT, ANSWERED, FREE, RULES


class FilterMissing(ArenaError):  # noqa: N818 - says what is the case
    """Raised when the library that makes the filter is missing."""


_BINARY_TREE = 2
"""The kernel finds a call's rules by halving, instead of one after the other."""


def program() -> bytes:
    """Make the program, for this machine's processor.  Raises FilterMissing."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415 - it looks for the C library at once
    except (ImportError, OSError, RuntimeError) as error:
        raise FilterMissing(f"the library libseccomp is missing: {error}") from error
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # Calls under the numbers of another processor, such as those of 32-bit programs, would be read wrongly.
    made.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    made.set_attr(seccomp.Attr.CTL_OPTIMIZE, _BINARY_TREE)

    def rule(action: int, name: str, *arguments: object) -> None:
        with suppress(OSError):  # some have no number on some processors
            made.add_rule(action, name, *arguments)

    for name in " ".join(FREE.values()).split():
        rule(seccomp.ALLOW, name)
    for name in ABSENT.split():
        rule(seccomp.ERRNO(errno.ENOSYS), name)
    for each in RULES:
        for name, arguments in product(each.calls.split(), each.alternatives()):
            rule(
                seccomp.ALLOW,
                name,
                *(seccomp.Arg(number, seccomp.MASKED_EQ, mask, value) for number, mask, value in arguments),
            )
    for answer, name, argument in ANSWERED:
        for value in argument.values:
            rule(
                seccomp.ERRNO(answer),
                name,
                seccomp.Arg(argument.number, seccomp.MASKED_EQ, argument.mask, value),
            )
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()

"""File descriptors: each connection needs one, and the usual soft limit of 1,024 is soon used up."""

from __future__ import annotations

import resource


def raise_limit(wanted: int) -> int:
    """Raise this process's soft limit as far as is wanted and allowed; return what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    limit = soft if soft == resource.RLIM_INFINITY else max(soft, allowed)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return wanted if limit == resource.RLIM_INFINITY else limit

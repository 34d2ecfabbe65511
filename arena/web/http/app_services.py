"""The services of an application, such as its store, which code below the routes finds by their class.

TheStore = Annotated[Store, Depends(service(Store))]      an argument of routes
service_of(request.app, Store)                            anywhere else

`WebServices` (arena/web/web_services.py) has one of each class.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from fastapi import Request
from starlette.applications import Starlette

_Service = TypeVar("_Service")


@dataclass(frozen=True, slots=True)
class WallClock:
    """The time of day that Arena TV and the daily puzzle go by; tests set another."""

    now: Callable[[], float] = time.time


def service_of(app: Starlette, kind: type[_Service]) -> _Service:
    """Return an application's service of a class.  Raises LookupError if it has none."""
    for found in vars(app.state.services).values():
        if isinstance(found, kind):
            return found
    raise LookupError(f"{kind.__name__}: is none of the services of this application")


def service(kind: type[_Service]) -> Callable[[Request], Awaitable[_Service]]:
    """Return the dependency of a route that uses the service of a class."""

    async def find(request: Request) -> _Service:
        return service_of(request.app, kind)

    return find

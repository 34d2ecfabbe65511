"""The arena of a request: a LocalArena with the rights of its credentials.

route                                    actor
def show(arena: TheArena)                a visitor, signed in or not: the same answer for all
def show(arena: ViewerArena)             the user whose credentials are shown, else a visitor
def pause(arena: OrganiserArena)         a user with the scope `tournaments`; others are refused
def pause(arena: OrganiserPageArena)     the same, for a page
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Request
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from arena.accounts.actors import VISITOR, Actor
from arena.competition.qualification.submissions import Rules
from arena.service import after_writes
from arena.service.after_writes import Written
from arena.service.local_arena import LocalArena
from arena.storage import Store
from arena.web.auth.api_auth import ApiActor, ApiReader, require_scope
from arena.web.auth.page_auth import PageVisitor, SignedInViewer, require_page_scope
from arena.web.http.app_services import service_of


def arena_of(request: Request, later: BackgroundTasks, actor: Actor) -> LocalArena:
    """Return the arena for an actor; the hints of its writes are sent after the answer."""
    app = request.app

    def after_write(written: Written) -> None:
        later.add_task(after_writes.send_async, service_of(app, AsyncRedis), written)

    def after_read(question: Callable[[Redis], object]) -> None:
        later.add_task(question, service_of(app, Redis))

    return LocalArena(
        service_of(app, Store),
        actor,
        after_write,
        after_read=after_read,
        redis=service_of(app, Redis),
        rules=service_of(app, Rules),
    )


async def _of_visitor(request: Request, later: BackgroundTasks) -> LocalArena:
    return arena_of(request, later, VISITOR)


async def _of_viewer(request: Request, later: BackgroundTasks, actor: ApiReader) -> LocalArena:
    return arena_of(request, later, actor or VISITOR)


async def _of_user(request: Request, later: BackgroundTasks, actor: ApiActor) -> LocalArena:
    return arena_of(request, later, actor)


async def _of_page_user(request: Request, later: BackgroundTasks, actor: SignedInViewer) -> LocalArena:
    return arena_of(request, later, actor)


async def _of_uploader(request: Request, later: BackgroundTasks, actor: PageVisitor) -> LocalArena:
    return arena_of(request, later, actor)


def _for(dependency: Any) -> Any:  # noqa: ANN401 - as FastAPI's own Depends
    async def arena(request: Request, later: BackgroundTasks, actor: Actor = dependency) -> LocalArena:
        return arena_of(request, later, actor)

    return Depends(arena)


TheArena = Annotated[LocalArena, Depends(_of_visitor)]
ViewerArena = Annotated[LocalArena, Depends(_of_viewer)]
UserArena = Annotated[LocalArena, Depends(_of_user)]
ReaderArena = Annotated[LocalArena, _for(require_scope("read"))]
AuthorArena = Annotated[LocalArena, _for(require_scope("bots"))]
OrganiserArena = Annotated[LocalArena, _for(require_scope("tournaments"))]
AdminArena = Annotated[LocalArena, _for(require_scope("admin"))]
UploadArena = Annotated[LocalArena, Depends(_of_uploader)]
"""The arena of a page that reads its form bit by bit, and then calls `check_form` itself."""
UserPageArena = Annotated[LocalArena, Depends(_of_page_user)]
AuthorPageArena = Annotated[LocalArena, _for(require_page_scope("bots"))]
OrganiserPageArena = Annotated[LocalArena, _for(require_page_scope("tournaments"))]
AdminPageArena = Annotated[LocalArena, _for(require_page_scope("admin"))]

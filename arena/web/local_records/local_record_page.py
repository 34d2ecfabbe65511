"""The page of a record that is a file: its board to be stepped through as that of a match of an arena, or all of it in one file.

Nothing is asked of a database or Redis, and nothing is hidden: the record is the reader's own.
"""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Request, Response
from fastapi.responses import PlainTextResponse
from markupsafe import Markup

from arena.core.translatable import say
from arena.games import registry
from arena.match.record import RecordError
from arena.web.auth.page_auth import see_other
from arena.web.http.path_parameters import EyeName, PointNumber, SheetShown, StepNumber
from arena.web.local_records.lone_page import inline_static_files
from arena.web.local_records.record_shelf import RecordFile, RecordShelf, open_notes, summarise
from arena.web.matches import stepper
from arena.web.matches.opened_records import OpenedRecord, thinking_times
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import fragment, render, render_part

if TYPE_CHECKING:
    from arena.web.matches.shown_notes import MatchNotes
    from arena.web.matches.stepper import Course

_MAX_LISTED = 500
"""Maximum number of records in the list."""


def _nobody_is_signed_in(request: Request) -> None:
    """Ignore cookies: a browser sends along those of an arena on the same machine."""
    request.state.viewer = None


router = APIRouter(dependencies=[Depends(_nobody_is_signed_in)], include_in_schema=False)

FileNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The file's number.")]


def _shelf(request: Request) -> RecordShelf:
    shelf: RecordShelf = request.app.state.shelf
    return shelf


TheShelf = Annotated[RecordShelf, Depends(_shelf)]


@router.get("/")
def show_list(request: Request, shelf: TheShelf) -> Response:
    """List the records; where there is one only, go to it."""
    files = shelf.files()
    if len(files) == 1:
        return see_other(files[0].address)
    listed = files[:_MAX_LISTED]
    rows = list(zip(listed, summarise(listed), strict=True))
    context: dict[str, Any] = {
        "rows": rows,
        "more": len(files) - len(rows),
        "titles": TITLES,
        "mark": _mark_of(files),
    }
    return render(request, "local_records.html", **context)


@router.get("/mark")
def show_mark(shelf: TheShelf) -> PlainTextResponse:
    """Show what changes when a file comes, goes or is written again."""
    return PlainTextResponse(_mark_of(shelf.files()))


@router.get("/records/{number}")
def show(
    request: Request,
    shelf: TheShelf,
    number: FileNumber,
    *,
    point: PointNumber = None,
    step: StepNumber = None,
    view: EyeName = stepper.ALL,
    sheet: SheetShown = False,
) -> Response:
    """Show a record, at a point or at the point of a step."""
    files = shelf.files()
    file = _find(shelf, number)
    opened = shelf.open(file)
    context = _context(file, opened) | {"boards": None, "mark": file.mark, "count": len(files)}
    at = [each.number for each in files].index(number) if file in files else None
    context["place"] = None if at is None else at + 1
    context["before"] = files[at - 1] if at else None
    context["after"] = files[at + 1] if at is not None and at + 1 < len(files) else None
    if opened.course is not None:
        final = opened.course.replay.final
        point = opened.course.replay.point_of(step) if step is not None else point
        at_point = min(point or 0, final)  # the file may have been written again, and be shorter
        context["noted"] = _open_notes(file, opened)
        context |= stepper.page(opened.course, choose(request), number=at_point, view=view, sheet=sheet)
    return render(request, "local_record.html", **context)


@router.get("/records/{number}/board")
def show_board(
    request: Request,
    shelf: TheShelf,
    number: FileNumber,
    *,
    point: PointNumber = None,
    view: EyeName = stepper.ALL,
    sheet: SheetShown = False,
) -> Response:
    """Show the board alone, for a page that steps without leaving."""
    opened = shelf.open(_find(shelf, number))
    if opened.course is None:
        raise HTTPException(404, opened.trouble)
    context = stepper.position(opened.course, choose(request), number=point, view=view, sheet=sheet)
    return render_part(request, "board.html", reference=opened.course.match, **context)


@router.get("/records/{number}/mark")
def show_file_mark(shelf: TheShelf, number: FileNumber) -> PlainTextResponse:
    """Show what changes when the file is written again."""
    return PlainTextResponse(_find(shelf, number).mark)


def write_page(file: RecordFile, opened: OpenedRecord, language: str, step: int = 0) -> str:
    """Write the page of a record as one file that needs no server: with all boards, styles, scripts and pictures.

    It opens at the point of a step.
    """
    assert opened.course is not None  # noqa: S101 - the caller has looked
    course = replace(opened.course, address="")
    context = _context(file, opened) | {"place": None, "count": 1, "before": None, "after": None, "mark": ""}
    context["noted"] = open_notes(file, opened)
    context |= stepper.page(course, language, number=course.replay.point_of(step), view=stepper.ALL)
    context |= {"path": "/", "site": "", "address_here": "/", "viewer": None}
    page = fragment("local_record.html", language, boards=_pack_boards(course, language), **context)
    return inline_static_files(page)


def _context(file: RecordFile, opened: OpenedRecord) -> dict[str, Any]:
    """Return the part of the page that is the same at every point."""
    record = opened.record
    known = record is not None and record.game in registry.GAMES
    return {
        "file": file.path,
        "file_number": file.number,
        "record": record,
        "reference": None if record is None else record.match,
        "noted": None,
        "known": known,
        "title": TITLES.get(record.game, record.game) if record is not None else "",
        "trouble": opened.trouble,
        "thinking": {} if record is None else thinking_times(record),
        "replay": opened.course,
        "moments": (),
        "chances": None,
        "computing": False,
    }


def _open_notes(file: RecordFile, opened: OpenedRecord) -> MatchNotes | None:
    """Read the notes of a record; the board is shown even if their file is broken."""
    try:
        return open_notes(file, opened)
    except RecordError:
        return None


def _find(shelf: RecordShelf, number: int) -> RecordFile:
    file = shelf.find(number)
    if file is None:
        raise HTTPException(404, say("There is no record of that number."))
    return file


def _mark_of(files: tuple[RecordFile, ...]) -> str:
    """Return a mark of all files together."""
    return sha256(repr([(str(file.path), file.mark) for file in files]).encode()).hexdigest()[:16]


def _pack_boards(course: Course, language: str) -> Markup:
    """Pack the boards of all stops and points of view, by the query that asks for them: gzip in base64."""
    boards = {}
    for view in course.eyes:
        for stop in course.route:
            query = f"?{stop.query}" + ("" if view == stepper.ALL else f"&view={view}")
            context = stepper.position(course, language, number=stop.point, view=view, sheet=stop.sheet)
            boards[query] = str(fragment("board.html", language, reference=course.match, **context))
    packed = gzip.compress(json.dumps(boards, ensure_ascii=False).encode(), mtime=0)
    return Markup(base64.b64encode(packed).decode())  # noqa: S704 - letters and digits

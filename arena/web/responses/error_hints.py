"""Advice on error pages: a heading in plain words, what to do next, and links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from arena.core.translatable import say
from arena.web.ui.languages import mark

if TYPE_CHECKING:
    from arena.web.auth.page_auth import Viewer


@dataclass(frozen=True, slots=True)
class Advice:
    """The words are marked and translated by the page; `links` are addresses with their labels, the best first."""

    title: str
    remedy: str
    links: tuple[tuple[str, str], ...]


_HOME = ("/", mark("Go to the start page"))
_PLACES = (
    ("/tournaments", "/tournaments", mark("All tournaments")),
    ("/games", "/", mark("All games")),
    ("/bots", "/", mark("All games")),
    ("/organise", "/organise", mark("Your tournaments")),
    ("/admin", "/admin", mark("The platform")),
    ("/account", "/account", mark("Your account")),
)
_RESTRICTED = frozenset({"/organise", "/admin"})
_WORDS = {
    400: (mark("The request could not be read"), mark("Go back, reload the page and try again.")),
    403: (
        mark("You are not allowed to do this"),
        mark("Ask an admin for the right role, or go back to the public pages."),
    ),
    404: (
        mark("Page not found"),
        mark(
            "Check the address or browse from here. Tournaments and matches have a page as soon as they are created."
        ),
    ),
    405: (
        mark("Method not allowed here"),
        mark("This address only accepts form data: open the page with the form."),
    ),
    408: (
        mark("The upload was too slow"),
        mark("Send it again over a faster connection."),
    ),
    409: (
        mark("Conflict with the current state"),
        mark("Someone may have changed it in the meantime: go back and reload the page."),
    ),
    410: (
        mark("No longer stored"),
        mark(
            "Results, ratings and decisions are kept forever; records only as long as this arena's operator chooses."
        ),
    ),
    413: (mark("Too large"), mark("Send less.")),
    422: (
        mark("Invalid input"),
        mark("Go back and correct what is named above; the form is as you left it."),
    ),
    429: (
        mark("Too many requests"),
        mark("Wait as long as stated above, then reload the page. Nothing is lost."),
    ),
    500: (
        mark("Something went wrong on our side"),
        mark(
            "The reason is in the server's log. Try again; if it persists, tell the organiser what you opened and when."
        ),
    ),
    503: (
        mark("Part of the arena is unavailable"),
        mark("This usually recovers by itself, and no result is lost. Try again in a few seconds."),
    ),
}
_SIGN_IN = mark("Sign in")
_NOT_SIGNED_IN = mark(
    "You are not signed in. Sign in with an account that has access, or go back to the public pages."
)
_EXPIRED_FORM = (
    mark("This form has expired"),
    mark(
        "You have signed in again since this form was loaded. Go back, reload the page and send it again; nothing was changed."
    ),
)


def explain(code: str, detail: str, viewer: Viewer | None) -> str:
    """Return an error's message in the words of a page: a browser has a session and not a token."""
    if code == "scope_missing" and viewer is not None:
        return say(
            "You are signed in as {name} ({role}); this needs another role.",
            name=viewer.name,
            role=say(viewer.role),
        )
    return detail


def advise(status: int, code: str, path: str, viewer: Viewer | None) -> Advice:
    """Return the advice for an error at an address, by what the viewer may do."""
    title, remedy = _WORDS.get(status, _WORDS[500 if status >= 500 else 400])
    links = [
        (address, label)
        for place, address, label in _PLACES
        if path.startswith(place) and not (status == 403 and address in _RESTRICTED)
    ]
    if code == "csrf_missing":
        title, remedy = _EXPIRED_FORM
    elif status == 403 and viewer is None:
        remedy = _NOT_SIGNED_IN
        links.insert(0, (f"/sign-in?next={quote(path, safe='/')}", _SIGN_IN))
    if path in {address for address, _ in links}:
        links = [link for link in links if link[0] != path]  # it is what has just failed
    return Advice(title, remedy, (*links, _HOME))

"""What an error page says besides what was wrong: a heading in plain words, what to do next, and where to go on."""

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
_FOR_SOME = frozenset({"/organise", "/admin"})
_WORDS = {
    400: (mark("That could not be read"), mark("Go back, load the page again, and try once more.")),
    403: (
        mark("That is not yours to do"),
        mark("Ask an admin for the role that may, or go on with what is open to everybody."),
    ),
    404: (
        mark("There is nothing here"),
        mark(
            "Check the address, or look for it from here: a tournament or match has a page as soon as it is created."
        ),
    ),
    405: (
        mark("That address takes no such request"),
        mark("It is where a form is sent to: open the page that has the form."),
    ),
    408: (
        mark("That came too slowly"),
        mark("Send it again over a faster connection."),
    ),
    409: (
        mark("That does not fit with how it stands now"),
        mark("Somebody may have changed it meanwhile: go back and load the page again."),
    ),
    410: (
        mark("That is not kept any more"),
        mark(
            "Results, ratings and decisions stay for ever; records only as long as the operator of this arena keeps them."
        ),
    ),
    413: (mark("That is too large"), mark("Send less.")),
    422: (
        mark("Something in it cannot be"),
        mark("Go back and mend what is named above: the form is as you left it."),
    ),
    429: (
        mark("That was too often"),
        mark("Wait as long as is said above, then load the page again. Nothing is lost."),
    ),
    500: (
        mark("Something broke, and it was us"),
        mark(
            "The server's log has the reason. Try again; if it stays, tell the organiser what you opened, and when."
        ),
    ),
    503: (
        mark("A part of the arena is away"),
        mark(
            "The platform mends this by itself as a rule, and no result is lost: try again in some seconds."
        ),
    ),
}
_SIGN_IN = mark("Sign in")
_STRANGER = mark(
    "You are not signed in. Sign in with an account that may, or go on with what is open to everybody."
)
_OLD_FORM = (
    mark("That form is too old"),
    mark(
        "You have signed in anew since it was loaded. Go back, load the page again, then send it: nothing was changed."
    ),
)


def explain(code: str, detail: str, viewer: Viewer | None) -> str:
    """Return an error's message in the words of a page: a browser has a session and not a token."""
    if code == "scope_missing" and viewer is not None:
        return say(
            "You are signed in as {name} ({role}): this is open to other roles.",
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
        if path.startswith(place) and not (status == 403 and address in _FOR_SOME)
    ]
    if code == "csrf_missing":
        title, remedy = _OLD_FORM
    elif status == 403 and viewer is None:
        remedy = _STRANGER
        links.insert(0, (f"/sign-in?next={quote(path, safe='/')}", _SIGN_IN))
    if path in {address for address, _ in links}:
        links = [link for link in links if link[0] != path]  # it is what has just failed
    return Advice(title, remedy, (*links, _HOME))

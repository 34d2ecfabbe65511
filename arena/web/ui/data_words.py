"""Words that come from the data and are shown as they are: marked here, so that the catalogues have them."""

from __future__ import annotations

from arena.web.ui.languages import mark

STATES = (
    mark("created"),
    mark("open"),
    mark("running"),
    mark("paused"),
    mark("finished"),
    mark("cancelled"),
)
"""Of tournaments."""

ENDS = (mark("completed"), mark("turn limit"), mark("fault"))
"""The ends of matches, in words."""

FAULTS = (mark("illegal action"), mark("timeout"), mark("crash"), mark("protocol"))

TITLES = (
    mark("Bad Request"),
    mark("Unauthorized"),
    mark("Forbidden"),
    mark("Not Found"),
    mark("Method Not Allowed"),
    mark("Conflict"),
    mark("Gone"),
    mark("Unprocessable Entity"),
    mark("Unprocessable Content"),
    mark("Content Too Large"),
    mark("Request Entity Too Large"),
    mark("Too Many Requests"),
    mark("Internal Server Error"),
    mark("Not Implemented"),
    mark("Service Unavailable"),
)
"""Of the HTTP statuses that pages are answered with."""

ROLES = (mark("author"), mark("organiser"), mark("admin"))

VERSION_STATES = (
    mark("waiting"),
    mark("active"),
    mark("failed"),
    mark("suspended"),
    mark("withdrawn"),
    mark("superseded"),
)
"""Of the versions of bots."""

SOURCES = (mark("hosted"), mark("dial_in"), mark("endpoint"))
"""Where a bot runs."""

TRIALS = (mark("qualification"), mark("challenge"), mark("comparison"))

LADDER_STATES = (mark("running"), mark("stopped"))

PLACES = (mark("path"), mark("query"), mark("header"))
"""Where a request has its parameters."""

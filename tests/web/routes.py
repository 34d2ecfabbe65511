"""The table of every route: what each of the cast gets there.

    nobody      is not signed in                      owner       an author: the bot `mine`, the token, the uploads are hers
    other       another author                        organiser   and admin: neither owns anything here

A new route needs a row (tests/web/test_permissions.py).  `{names}` in an address stand for what the stage has under them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PEOPLE = ("nobody", "owner", "other", "organiser", "admin")


@dataclass(frozen=True)
class Row:
    """A route with the status for each of PEOPLE, in their order; what is sent, as JSON to the API and as a form to a page.

    A status `-` is not asked for: it is as its neighbour's, and hashing passwords takes long.  `scope` is what a token must have; `at` is the address as it is asked, where the route's own would not do.
    """

    method: str
    route: str
    statuses: str
    scope: str | None = None
    sent: dict[str, Any] | None = None
    at: str | None = None


ALL = "200 200 200 200 200"
NONE_THERE = "404 404 404 404 404"
SIGNED_IN = "401 200 200 200 200"
ORGANISERS = "401 403 403 200 200"
ADMINS = "401 403 403 403 200"
PAGE_OF_SIGNED_IN = "303 200 200 200 200"
PAGE_OF_ORGANISERS = "303 403 403 200 200"
PAGE_OF_ADMINS = "303 403 403 403 200"
OWNERS_PAGE = "303 200 403 403 200"
DONE_BY_ORGANISERS = "303 403 403 303 303"
DONE_BY_ADMINS = "303 403 403 403 303"

API = "/api/v1"
T = f"{API}/tournaments"
OF_T = f"{T}/{{tournament_id}}"
MATCH = "/sets/{set_number}/matches/{match_number}"
OF_BOT = f"{API}/bots/{{game_id}}/{{name}}"
MINE = f"{API}/bots/lost_cities/mine"
PAGE_OF_BOT = "/account/bots/{game_id}/{name}"
MY_PAGE = "/account/bots/lost_cities/mine"
STEER = "/tournaments/{tournament_id}/steer/{verb}"
WISH = {"game": "lost_cities", "bots": ["greedy", "random"]}
DRAFT = {
    "game": "lost_cities",
    "table": "standard/2",
    "format": "round-robin",
    "cycles": "1",
    "stop": "none",
    "time": "30+0.1",
    "begin": "now",
    "priority": "10",
    "delay_s": "0",
    "named": "greedy, random",
}
SURE = {"sure": "yes"}

OF_ALL = [
    Row("GET", "/openapi.json", ALL),
    Row("GET", "/", ALL),
    Row("GET", "/live", ALL),
    Row("GET", "/live/tables", ALL),
    Row("GET", "/live/now", ALL),
    Row("GET", "/live/{game_id}", ALL, at="/live/lost_cities"),
    Row("GET", "/status", ALL),
    Row("HEAD", "/live/events", ALL),
    Row("GET", "/games", ALL),
    Row("GET", "/games/{game_id}", ALL, at="/games/lost_cities"),
    Row("GET", "/bots/{game_id}/{name}", ALL, at="/bots/lost_cities/greedy"),
    Row("GET", "/games/{game_id}/rules", ALL, at="/games/lost_cities/rules"),
    Row("GET", "/tournaments", ALL),
    Row("GET", "/tournaments/{tournament_id}", ALL, at="/tournaments/{over}"),
    Row("GET", "/tournaments/{tournament_id}", ALL, at="/tournaments/{open}"),
    Row("GET", f"/tournaments/{{tournament_id}}{MATCH}", ALL, at="/tournaments/{over}/sets/0/matches/0"),
    Row(
        "GET",
        f"/tournaments/{{tournament_id}}{MATCH}/board",
        ALL,
        at="/tournaments/{over}/sets/0/matches/0/board",
    ),
    Row(
        "HEAD",
        f"/tournaments/{{tournament_id}}{MATCH}/live",
        ALL,
        at="/tournaments/{running}/sets/0/matches/0/live",
    ),
    Row(
        "GET",
        "/embed/matches/{tournament_id}/{set_number}/{match_number}",
        ALL,
        at="/embed/matches/{over}/0/0",
    ),
    *(
        Row("GET", f"/preview/{route}.png", ALL, at=f"/preview/{address}.png")
        for route, address in (
            ("matches/{tournament_id}/{set_number}/{match_number}", "matches/{over}/0/0"),
            ("tournaments/{tournament_id}", "tournaments/{over}"),
            ("bots/{game_id}/{name}", "bots/lost_cities/greedy"),
        )
    ),
    Row("GET", "/docs", ALL),
    Row("GET", "/docs/search", ALL, at="/docs/search?q=clock"),
    Row("GET", "/docs/{name}", ALL, at="/docs/organising"),
    Row("GET", "/docs/{folder}/{name}", ALL, at="/docs/images/tournament.png"),
    Row("GET", "/reference", ALL),
    Row("GET", "/sdk", ALL),
    Row("GET", "/sdk/", ALL),
    Row("GET", "/sdk/{name}", NONE_THERE, at="/sdk/nothing.whl"),
    Row("GET", "/static/{name}", NONE_THERE, at="/static/nothing.css"),
    Row("GET", "/favicon.ico", ALL),
    Row("GET", "/health", ALL),
    Row("GET", "/health/live", ALL),
    Row("GET", "/health/ready", ALL),
    Row("POST", "/language", "303 303 303 303 303", sent={"language": "es"}),
]

OF_PEOPLE = [
    Row("GET", "/sign-in", "200 303 303 303 303"),
    Row("POST", "/sign-in", "303 - - - -", sent={"name": "ada", "password": "three or four words"}),
    Row("POST", "/sign-in/token", "401 401 401 401 401", sent={"token": "arena_nothing"}),
    Row("GET", "/sign-in/link", ALL),
    Row("POST", "/sign-in/link", "401 401 401 401 401", sent={"code": "link_nothing"}),
    Row("POST", "/sign-out", "303 303 303 303 303"),
    Row("GET", "/register", "200 303 303 303 303"),
    Row("POST", "/register", "303 - - - -", sent={"name": "grace", "password": "five whole words"}),
    Row("GET", "/account", PAGE_OF_SIGNED_IN),
    Row(
        "POST",
        "/account/password",
        "303 422 - - -",
        sent={"old": "three or four words", "password": "weak"},
    ),
    Row("POST", "/account/tokens", "303 200 200 200 200", sent={"label": "laptop", "scopes": "read"}),
    Row("POST", "/account/tokens/revoke", "303 303 404 404 303", sent={"token_id": "{token}"}),
    Row("POST", "/account/sessions/end", "303 404 404 404 404", sent={"session_id": "0000"}),
    Row("GET", "/submit", PAGE_OF_SIGNED_IN),
    Row("POST", "/submit", "303 422 422 422 422"),
    Row("POST", "/submit/dial-in", "303 200 200 200 200", sent={"game": "lost_cities", "name": "new"}),
    Row("POST", "/submit/endpoint", "303 422 422 422 422", sent={"game": "lost_cities", "name": "new"}),
    Row("GET", "/submit/starters/{game_id}.zip", PAGE_OF_SIGNED_IN, at="/submit/starters/lost_cities.zip"),
    Row("GET", PAGE_OF_BOT, OWNERS_PAGE, at=MY_PAGE),
    Row(
        "POST",
        f"{PAGE_OF_BOT}/versions/{{version}}/withdraw",
        "303 303 403 403 303",
        at=f"{MY_PAGE}/versions/1/withdraw",
    ),
    Row(
        "POST",
        f"{PAGE_OF_BOT}/versions/{{version}}/restore",
        "303 409 403 403 409",
        at=f"{MY_PAGE}/versions/1/restore",
    ),
    Row(
        "GET",
        f"{PAGE_OF_BOT}/versions/{{version}}/upload",
        "303 404 403 403 404",
        at=f"{MY_PAGE}/versions/1/upload",
    ),
    Row("POST", f"{PAGE_OF_BOT}/notes", "303 303 403 403 303", sent={"public": "yes"}, at=f"{MY_PAGE}/notes"),
    Row("POST", f"{PAGE_OF_BOT}/token", "303 200 403 403 200", at=f"{MY_PAGE}/token"),
    Row("POST", f"{PAGE_OF_BOT}/token/revoke", "303 303 403 403 303", at=f"{MY_PAGE}/token/revoke"),
    Row(
        "POST",
        f"{PAGE_OF_BOT}/challenges",
        "303 303 403 403 303",
        at=f"{MY_PAGE}/challenges",
        sent={"others": "greedy"},
    ),
    Row(
        "POST",
        f"{PAGE_OF_BOT}/enter/{{tournament_id}}",
        "303 303 403 303 303",
        at=f"{MY_PAGE}/enter/{{open}}",
    ),
    Row(
        "POST",
        f"{PAGE_OF_BOT}/leave/{{tournament_id}}",
        "303 303 403 303 303",
        at=f"{MY_PAGE}/leave/{{mine}}",
    ),
    Row("GET", f"{PAGE_OF_BOT}/matches/{{match_id}}", "303 404 403 403 404", at=f"{MY_PAGE}/matches/m"),
]


def _own_games(games: str) -> tuple[Row, ...]:
    """Return the rows of people's own games below a path."""
    at, path = f"{API}/play/{games}", f"{API}/play/{games}/{{play_id}}"
    return (
        Row("POST", at, "503 503 503 503 503", sent={"game": "lost_cities", "opponents": ["greedy"]}),
        *(Row("GET", f"{path}{part}", NONE_THERE, at=f"{at}/nobodys{part}") for part in ("", "/record")),
        Row("HEAD", f"{path}/events", NONE_THERE, at=f"{at}/nobodys/events"),
        *(
            Row(method, f"{path}{verb}", NONE_THERE, at=f"{at}/nobodys{verb}", sent=sent)
            for method, verb, sent in (
                ("POST", "/answer", {"decision": 1, "action": "draw deck"}),
                ("POST", "/resign", None),
                ("DELETE", "", None),
            )
        ),
    )


# Nobody has a table here, and no referee to sit down at; whose one is, tests/web/test_play*.py say.
AT_PLAY = [
    Row("GET", "/puzzle", ALL),
    Row("POST", "/puzzle", "404 404 404 404 404", sent={"day": "yesterday"}),
    Row("GET", "/play", ALL),
    Row("POST", "/play", "503 503 503 503 503", sent={"game": "lost_cities", "opponent": "greedy"}),
    *(
        Row("GET", f"/play/{{table_id}}{part}", NONE_THERE, at=f"/play/nobodys{part}")
        for part in ("", "/board", "/record")
    ),
    Row("HEAD", "/play/{table_id}/events", NONE_THERE, at="/play/nobodys/events"),
    *(
        Row("POST", f"/play/{{table_id}}/{verb}", NONE_THERE, at=f"/play/nobodys/{verb}")
        for verb in ("answer", "resign", "leave", "again")
    ),
    Row("GET", f"{API}/play", ALL),
    *(
        row
        for games in ("games", "tables")  # the second is the old path
        for row in _own_games(games)
    ),
]

OF_ORGANISERS = [
    Row("GET", "/organise", PAGE_OF_ORGANISERS),
    Row("GET", "/organise/tournament", PAGE_OF_ORGANISERS),
    Row("GET", "/organise/tournament", PAGE_OF_ORGANISERS, at="/organise/tournament?game=lifeboats"),
    Row("POST", "/organise/tournament", DONE_BY_ORGANISERS, sent={**DRAFT, "do": "create"}),
    Row("POST", "/organise/tournament", PAGE_OF_ORGANISERS, sent={**DRAFT, "do": "look"}),
    Row("POST", "/organise/tournament/estimate", PAGE_OF_ORGANISERS, sent=DRAFT),
    Row("GET", "/organise/ladders", PAGE_OF_ORGANISERS),
    Row(
        *("POST", "/organise/ladders", DONE_BY_ORGANISERS),
        sent={"table": "lost_cities/standard/2", "epoch_h": "24", "rest_s": "10", "priority": "5"},
    ),
    Row(
        "POST", "/organise/ladders/{ladder_id}/stop", DONE_BY_ORGANISERS, at="/organise/ladders/{ladder}/stop"
    ),
    Row("GET", "/tournaments/{tournament_id}/steer", PAGE_OF_SIGNED_IN, at="/tournaments/{open}/steer"),
    *(
        Row("POST", STEER, DONE_BY_ORGANISERS, at=f"/tournaments/{{{which}}}/steer/{verb}", sent=sent)
        for which, verb, sent in (
            ("held", "open", None),
            ("held", "start", None),
            ("running", "pause", None),
            ("paused", "resume", None),
            ("running", "extend", {"more": "1"}),
            ("running", "edit", {"priority": "20"}),
            ("held", "delete", {"sure": "yes"}),
            ("running", "cancel", SURE),
            ("open", "enter", {"bot": "cautious"}),
        )
    ),
    Row(
        *("POST", STEER, "303 403 403 303 303"),
        at="/tournaments/{running}/steer/withdraw",
        sent={"bot": "cautious", "results": "annul", **SURE},
    ),
    Row("POST", STEER, "303 403 403 303 303", at="/tournaments/{held}/steer/enter", sent={"bot": "cautious"}),
    Row("POST", STEER, "303 303 403 303 303", at="/tournaments/{open}/steer/enter", sent={"bot": "mine"}),
    Row("POST", STEER, "303 303 403 303 303", at="/tournaments/{mine}/steer/withdraw", sent={"bot": "mine"}),
    Row(
        "POST", STEER, "303 403 403 409 409", at="/tournaments/{over}/steer/withdraw", sent={"bot": "random"}
    ),
]

OF_ADMINS = [
    *(
        Row("GET", f"/admin{part}", PAGE_OF_ADMINS)
        for part in (
            *("", "/queues", "/workers", "/referees", "/faults", "/audit", "/users", "/invitations"),
        )
    ),
    Row("GET", "/design", PAGE_OF_ADMINS),
    Row("GET", "/design/chart", PAGE_OF_ADMINS, at="/design/chart?state=many"),
    Row("POST", "/admin/jobs/{job_id}/retry", "303 403 403 403 404", at="/admin/jobs/block-0-0/retry"),
    Row("POST", "/admin/jobs/{job_id}/forget", "303 403 403 403 404", at="/admin/jobs/block-0-0/forget"),
    Row("POST", "/admin/suspensions/restore", DONE_BY_ADMINS, sent={"game": "lost_cities", "bot": "bad@1"}),
    Row("POST", "/admin/users", PAGE_OF_ADMINS, sent={"name": "grace", "role": "author"}),
    Row(
        "POST",
        "/admin/users/{name}/role",
        DONE_BY_ADMINS,
        at="/admin/users/ada/role",
        sent={"role": "organiser"},
    ),
    Row("POST", "/admin/users/{name}/reset", PAGE_OF_ADMINS, at="/admin/users/ada/reset", sent=SURE),
    Row("POST", "/admin/users/{name}/reset", "303 403 403 403 422", at="/admin/users/ada/reset"),
    Row("POST", "/admin/users/{name}/sign-out", DONE_BY_ADMINS, at="/admin/users/ada/sign-out"),
    Row("POST", "/admin/invitations", PAGE_OF_ADMINS, sent={"role": "author", "days": "7"}),
    Row(
        "POST",
        "/admin/invitations/{invitation_id}/revoke",
        DONE_BY_ADMINS,
        at="/admin/invitations/{invitation}/revoke",
    ),
]

API_OF_ALL = [
    *(
        Row("GET", f"{API}{path}", ALL)
        for path in (
            "/docs",
            "/games",
            "/ratings",
            "/tournaments",
            "/ladders",
            "/matches/recent",
            "/bots",
            "/live",
            "/status",
            "/sdk",
        )
    ),
    Row("HEAD", f"{API}/events", ALL),
    Row("GET", f"{API}/docs/{{name}}", ALL, at=f"{API}/docs/organising"),
    Row("GET", f"{API}/docs/games/{{game_id}}", ALL, at=f"{API}/docs/games/lost_cities"),
    Row("GET", f"{API}/games/{{game_id}}", ALL, at=f"{API}/games/lost_cities"),
    Row("GET", f"{API}/games/{{game_id}}/records", ALL, at=f"{API}/games/lost_cities/records"),
    *(
        Row(
            "GET",
            f"{API}/ratings/{{game_id}}/{{variant}}{part}",
            ALL,
            at=f"{API}/ratings/lost_cities/standard{part}",
        )
        for part in ("", "/superiority", "/seats", "/history", "/leaderboard", "/csv")
    ),
    *(
        Row("GET", f"{OF_T}{part}", ALL, at=f"{T}/{{over}}{part}")
        for part in (
            "",
            "/matches",
            "/export",
            "/decisions",
            "/superiority",
            "/savings",
            "/race",
            "/check",
            "/records",
        )
    ),
    Row("HEAD", f"{OF_T}/events", ALL, at=f"{T}/{{running}}/events"),
    Row("GET", f"{OF_T}{MATCH}", ALL, at=f"{T}/{{over}}/sets/0/matches/0"),
    Row("GET", f"{OF_T}{MATCH}/record", ALL, at=f"{T}/{{over}}/sets/0/matches/0/record"),
    Row("HEAD", f"{OF_T}{MATCH}/events", ALL, at=f"{T}/{{running}}/sets/0/matches/0/events"),
    Row("GET", OF_BOT, ALL, at=f"{API}/bots/lost_cities/greedy"),
    Row("GET", f"{OF_BOT}/matches", ALL, at=f"{API}/bots/lost_cities/greedy/matches"),
    Row("GET", f"{OF_BOT}/times", ALL, at=f"{API}/bots/lost_cities/greedy/times"),
    Row("GET", f"{OF_BOT}/style", ALL, at=f"{API}/bots/lost_cities/greedy/style"),
    Row(
        "POST",
        f"{API}/register",
        "201 - - - -",
        sent={"name": "grace", "password": "five whole words"},
    ),
    Row("POST", f"{API}/login", "200 - - - -", sent={"name": "ada", "password": "three or four words"}),
    Row("POST", f"{API}/login/link", "401 401 401 401 401", sent={"code": "link_nothing"}),
]

API_OF_PEOPLE = [
    Row("POST", f"{API}/logout", "401 204 204 204 204"),
    Row("GET", f"{API}/me", SIGNED_IN),
    Row(
        *("PUT", f"{API}/me/password", "401 204 - - -"),
        sent={"old": "three or four words", "new": "five whole words"},
    ),
    *(
        Row("GET", f"{API}{path}", SIGNED_IN, "read")
        for path in ("/me/bots", "/me/quotas", "/sessions", "/tokens")
    ),
    Row("DELETE", f"{API}/sessions/{{session_id}}", "401 404 404 404 404", "bots", at=f"{API}/sessions/0000"),
    Row("POST", f"{API}/tokens", "401 201 201 201 201", "bots", {"label": "laptop"}),
    Row("DELETE", f"{API}/tokens/{{token_id}}", "401 204 404 404 204", at=f"{API}/tokens/{{token}}"),
    Row("POST", f"{API}/uploads", "401 422 422 422 422", "bots"),
    Row("POST", f"{API}/bots/uploads", "401 422 422 422 422", "bots"),
    Row("GET", f"{API}/weights/{{sha256}}", "401 404 404 404 404", "read", at=f"{API}/weights/{'ab' * 32}"),
    Row(
        *("POST", f"{API}/weights/{{sha256}}/upload", "401 200 200 200 200", "bots", {"size": 9}),
        at=f"{API}/weights/{'ab' * 32}/upload",
    ),
    Row(
        *("PUT", f"{API}/weights/{{sha256}}/upload", "401 404 404 404 404", "bots"),
        at=f"{API}/weights/{'ab' * 32}/upload?offset=0",
    ),
    Row(
        *("POST", f"{API}/weights/{{sha256}}/upload/finish", "401 404 404 404 404", "bots"),
        at=f"{API}/weights/{'ab' * 32}/upload/finish",
    ),
    Row(
        *(
            "POST",
            f"{API}/bots/{{game_id}}",
            "401 201 201 201 201",
            "bots",
            {"name": "new", "source": "dial_in"},
        ),
        at=f"{API}/bots/lost_cities",
    ),
    Row("POST", f"{OF_BOT}/token", "401 201 403 403 201", at=f"{MINE}/token"),
    Row("DELETE", f"{OF_BOT}/token", "401 204 403 403 204", at=f"{MINE}/token"),
    *(
        Row(method, f"{OF_BOT}/{verb}", "401 403 403 403 409", at=f"{API}/bots/lost_cities/greedy/{verb}")
        for method, verb in (("POST", "token"), ("DELETE", "token"), ("POST", "restore"))
    ),
    Row("GET", f"{OF_BOT}/versions", "401 200 403 403 200", at=f"{MINE}/versions"),
    Row("GET", f"{OF_BOT}/upload", "401 404 403 403 404", at=f"{MINE}/upload"),
    Row("POST", f"{OF_BOT}/withdraw", "401 200 403 403 200", at=f"{MINE}/withdraw"),
    Row("POST", f"{OF_BOT}/restore", "401 409 403 403 409", at=f"{MINE}/restore"),
    Row(
        "POST",
        f"{OF_BOT}/challenges",
        "401 201 403 403 201",
        sent={"others": ["greedy"]},
        at=f"{MINE}/challenges",
    ),
    Row(
        "POST",
        f"{OF_BOT}/comparisons",
        "401 404 403 403 404",
        sent={"first": "1", "second": "9"},
        at=f"{MINE}/comparisons",
    ),
    Row("PUT", f"{OF_BOT}/notes", "401 200 403 403 200", sent={"public": True}, at=f"{MINE}/notes"),
    Row("GET", f"{OF_BOT}/notes", "401 200 403 403 200", at=f"{MINE}/notes"),
    Row("GET", f"{OF_BOT}/connection", "401 200 403 403 200", at=f"{MINE}/connection"),
    Row("GET", f"{OF_BOT}/entries", "401 200 403 403 200", at=f"{MINE}/entries"),
    Row("GET", f"{OF_BOT}/logs", "401 200 403 403 200", at=f"{MINE}/logs"),
    Row("GET", f"{OF_BOT}/logs/{{match_id}}", "401 404 403 403 404", at=f"{MINE}/logs/m"),
]

# What is not there is so for everybody who may ask: the scope comes first.
LOST = "401 404 404 404 404"
SCOPED = [
    Row("DELETE", f"{API}/tokens/{{token_id}}", LOST, "bots", at=f"{API}/tokens/0000"),
    Row("POST", f"{OF_T}/entries", LOST, "bots", {"bot": "greedy"}, at=f"{T}/9999/entries"),
    Row("DELETE", f"{OF_T}/entries/{{name}}", LOST, "bots", at=f"{T}/9999/entries/greedy"),
    *(
        Row(method, f"{OF_BOT}{part}", LOST, scope, sent, at=f"{API}/bots/lost_cities/nobodys{at or part}")
        for method, part, scope, sent, at in (
            ("POST", "/token", "bots", None, ""),
            ("DELETE", "/token", "bots", None, ""),
            ("POST", "/withdraw", "bots", None, ""),
            ("POST", "/restore", "bots", None, ""),
            ("POST", "/challenges", "bots", {"others": ["greedy"]}, ""),
            ("POST", "/comparisons", "bots", {"first": "2", "second": "1"}, ""),
            ("PUT", "/notes", "bots", {"public": True}, ""),
            ("GET", "/notes", "read", None, ""),
            ("GET", "/versions", "read", None, ""),
            ("GET", "/upload", "read", None, ""),
            ("GET", "/connection", "read", None, ""),
            ("GET", "/entries", "read", None, ""),
            ("GET", "/logs", "read", None, ""),
            ("GET", "/logs/{match_id}", "read", None, "/logs/m"),
        )
    ),
]

API_OF_ORGANISERS = [
    Row("POST", T, "401 403 403 201 201", "tournaments", WISH),
    Row("POST", f"{T}/estimate", ORGANISERS, "tournaments", WISH),
    Row("GET", f"{API}/me/tournaments", ORGANISERS, "tournaments"),
    *(
        Row("POST", f"{OF_T}/{verb}", ORGANISERS, "tournaments", sent, at=f"{T}/{{{which}}}/{verb}")
        for which, verb, sent in (
            ("held", "open", None),
            ("held", "start", None),
            ("running", "pause", None),
            ("paused", "resume", None),
            ("running", "cancel", {"why": "rain"}),
            ("running", "extend", {"more": 1}),
            ("running", "priority", {"priority": 20}),
        )
    ),
    Row("PATCH", OF_T, ORGANISERS, "tournaments", {"priority": 20}, at=f"{T}/{{running}}"),
    Row("DELETE", OF_T, "401 403 403 204 204", "tournaments", at=f"{T}/{{held}}"),
    Row("POST", f"{OF_T}/entries", "401 201 403 201 201", sent={"bot": "mine"}, at=f"{T}/{{open}}/entries"),
    Row(
        "POST", f"{OF_T}/entries", "401 403 403 201 201", sent={"bot": "cautious"}, at=f"{T}/{{held}}/entries"
    ),
    Row("DELETE", f"{OF_T}/entries/{{name}}", "401 200 403 200 200", at=f"{T}/{{mine}}/entries/mine"),
    Row("DELETE", f"{OF_T}/entries/{{name}}", "401 403 403 200 200", at=f"{T}/{{running}}/entries/cautious"),
    Row("POST", f"{API}/ladders", "401 403 403 201 201", "tournaments", {"game": "lost_cities"}),
    Row(
        "POST",
        f"{API}/ladders/{{ladder_id}}/stop",
        ORGANISERS,
        "tournaments",
        at=f"{API}/ladders/{{ladder}}/stop",
    ),
]

API_OF_ADMINS = [
    *(
        Row("GET", f"{API}{path}", ADMINS, "admin")
        for path in (
            *("/users", "/audit", "/invitations", "/admin/queues", "/admin/workers", "/admin/referees"),
            *("/admin/warnings", "/admin/throughput", "/admin/faults", "/admin/suspensions"),
        )
    ),
    Row("POST", f"{API}/users", "401 403 403 403 201", "admin", {"name": "grace"}),
    Row("PATCH", f"{API}/users/{{name}}", ADMINS, "admin", {"role": "organiser"}, at=f"{API}/users/ada"),
    Row("POST", f"{API}/users/{{name}}/reset", ADMINS, "admin", {}, at=f"{API}/users/ada/reset"),
    Row("POST", f"{API}/users/{{name}}/sign-out", ADMINS, "admin", at=f"{API}/users/ada/sign-out"),
    Row("POST", f"{API}/invitations", "401 403 403 403 201", "admin", {}),
    Row(
        *("DELETE", f"{API}/invitations/{{invitation_id}}", "401 403 403 403 204", "admin"),
        at=f"{API}/invitations/{{invitation}}",
    ),
    Row(
        "POST",
        f"{API}/admin/jobs/{{job_id}}/retry",
        "401 403 403 403 404",
        "admin",
        at=f"{API}/admin/jobs/block-0-0/retry",
    ),
    Row(
        "DELETE",
        f"{API}/admin/jobs/{{job_id}}",
        "401 403 403 403 404",
        "admin",
        at=f"{API}/admin/jobs/block-0-0",
    ),
]

ROWS = [
    *(*OF_ALL, *OF_PEOPLE, *AT_PLAY, *OF_ORGANISERS, *OF_ADMINS),
    *(*API_OF_ALL, *API_OF_PEOPLE, *SCOPED, *API_OF_ORGANISERS, *API_OF_ADMINS),
]

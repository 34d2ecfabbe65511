"""The client: a method for each operation of the API, by the operation's name (`/reference`, `/openapi.json`).

Parts of addresses stand first, then what is sent; what may be left out is named.  An answer is the JSON that came: a dictionary, or a list of
them.  tests/client/test_operations.py holds this against the API's document.
"""

from __future__ import annotations

from arena.client.admin_operations import Administering
from arena.client.author_operations import Authoring
from arena.client.http_connection import Row, Values
from arena.client.organiser_operations import Organising
from arena.client.player_operations import Playing
from arena.client.public_operations import Reading

_CSRF_HEADER = "X-CSRF-Token"


class ArenaClient(Reading, Authoring, Organising, Administering, Playing):
    """A client of the arena at a URL, such as `https://arena.example.org`, with a token or without; use it in a `with` block.

    Everything raises Refused, with the arena's code, field, status and remedy, or ArenaUnreachable.
    """

    def login(self, name: str, password: str) -> Row:
        """Sign in with a password, for as long as this client lives or until `logout`."""
        return self._begin("/login", {"name": name, "password": password})

    def login_by_link(self, code: str) -> Row:
        """Sign in by the code of a sign-in link, which counts once; then as with a password."""
        return self._begin("/login/link", {"code": code})

    def logout(self) -> None:
        """Sign out again."""
        self.send("POST", "/logout")
        self._http.headers.pop(_CSRF_HEADER, None)

    def _begin(self, path: str, sent: Values) -> Row:
        found = self.row("POST", path, sent)
        self._http.headers[_CSRF_HEADER] = found["csrf"]
        return found

    def show_health(self) -> Row:
        """Return whether the arena can do its work."""
        found: Row = self._json(self._ask("GET", "/health", base=""))
        return found

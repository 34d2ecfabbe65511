"""A person's own tables, against house bots; `player` says whose table it is, as `open_table` answers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.client.http_connection import Connection, Event, Row, player_of, q


class Playing(Connection):
    """A person's own tables, against house bots; `player` says whose table it is, as `open_table` answers it."""

    def list_playable(self) -> Row:
        """List what can be played."""
        return self.row("GET", "/play")

    def open_table(
        self, game: str, opponents: Sequence[str], *, player: str | None = None, **more: object
    ) -> Row:
        """Open a table; `more` is what GameCreate may have besides."""
        return self.row(
            "POST",
            "/play/tables",
            {"game": game, "opponents": list(opponents), **more},
            headers=player_of(player),
        )

    def show_own_table(self, table_id: str, *, player: str | None = None) -> Row:
        """Show your table."""
        return self.row("GET", f"/play/tables/{q(table_id)}", headers=player_of(player))

    def leave_table(self, table_id: str, *, player: str | None = None) -> None:
        """Leave your table."""
        self.send("DELETE", f"/play/tables/{q(table_id)}", headers=player_of(player))

    def follow_own_table(self, table_id: str, *, player: str | None = None) -> Iterator[Event]:
        """Follow your table."""
        return self.stream(f"/play/tables/{q(table_id)}/events", headers=player_of(player))

    def answer_decision(
        self, table_id: str, decision: int, *, player: str | None = None, **more: object
    ) -> Row:
        """Decide at your table; `more` is what Answer may have besides."""
        return self.row(
            "POST",
            f"/play/tables/{q(table_id)}/answer",
            {"decision": decision, **more},
            headers=player_of(player),
        )

    def resign_match(self, table_id: str, *, player: str | None = None) -> Row:
        """Resign the match."""
        return self.row("POST", f"/play/tables/{q(table_id)}/resign", headers=player_of(player))

    def show_own_record(self, table_id: str, *, player: str | None = None) -> Row:
        """Show the record of your match, as dictionaries and lists."""
        return self.row("GET", f"/play/tables/{q(table_id)}/record", headers=player_of(player))

    def download_own_record(self, table_id: str, *, player: str | None = None) -> bytes:
        """Download the record of your match byte for byte, as `arena verify` reads it from a file."""
        return self.content("GET", f"/play/tables/{q(table_id)}/record", headers=player_of(player))

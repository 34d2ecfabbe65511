"""Public reading: games, tables, tournaments, matches, bots, docs, and streams of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.client.http_connection import Connection, Event, Row, q


class Reading(Connection):
    """Public reading: games, tables, tournaments, matches, bots, docs, and streams of events."""

    def list_docs(self) -> Row:
        """List the docs."""
        return self.row("GET", "/docs")

    def show_docs(self, name: str) -> Row:
        """Show a page of the docs."""
        return self.row("GET", f"/docs/{q(name)}")

    def show_rules(self, game_id: str, *, language: str = "en") -> Row:
        """Show the rules of a game."""
        return self.row("GET", f"/docs/games/{q(game_id)}", params={"language": language})

    def list_games(self) -> list[Row]:
        """List the games."""
        return self.rows("GET", "/games")

    def show_game(self, game_id: str) -> Row:
        """Show a game."""
        return self.row("GET", f"/games/{q(game_id)}")

    def list_pools(self) -> list[Row]:
        """List the pools."""
        return self.rows("GET", "/ratings")

    def show_table(self, game_id: str, variant: str) -> Row:
        """Show an Elo table."""
        return self.row("GET", f"/ratings/{q(game_id)}/{q(variant)}")

    def download_table(self, game_id: str, variant: str) -> bytes:
        """Download an Elo table, as CSV."""
        return self.content("GET", f"/ratings/{q(game_id)}/{q(variant)}/csv")

    def show_leaderboard(self, game_id: str, variant: str, *, page: int = 1, rows: int = 50) -> Row:
        """Show an Elo table with form, faults and meetings."""
        return self.row(
            "GET", f"/ratings/{q(game_id)}/{q(variant)}/leaderboard", params={"page": page, "rows": rows}
        )

    def show_superiority(self, game_id: str, variant: str) -> Row:
        """Show who is stronger how surely."""
        return self.row("GET", f"/ratings/{q(game_id)}/{q(variant)}/superiority")

    def show_seats(self, game_id: str, variant: str) -> list[Row]:
        """Show what seats are worth."""
        return self.rows("GET", f"/ratings/{q(game_id)}/{q(variant)}/seats")

    def show_history(
        self,
        game_id: str,
        variant: str,
        *,
        bot: Sequence[str] = (),
        best: int | None = None,
        hours: int = 720,
    ) -> list[Row]:
        """Show how ratings went."""
        return self.rows(
            "GET",
            f"/ratings/{q(game_id)}/{q(variant)}/history",
            params={"bot": bot, "best": best, "hours": hours},
        )

    def show_tournament_superiority(self, tournament_id: int) -> Row:
        """Show who is stronger how surely in a tournament."""
        return self.row("GET", f"/tournaments/{tournament_id}/superiority")

    def show_race(self, tournament_id: int) -> Row:
        """Show how the points of a tournament's best added up."""
        return self.row("GET", f"/tournaments/{tournament_id}/race")

    def check_decisions(self, tournament_id: int) -> Row | None:
        """Return whether a tournament's decisions can be made again from its results; None before that has been looked at."""
        return self.maybe("GET", f"/tournaments/{tournament_id}/check")

    def show_savings(self, tournament_id: int) -> Row | None:
        """Show what its sets have saved a tournament."""
        return self.maybe("GET", f"/tournaments/{tournament_id}/savings")

    def list_tournaments(self, *, before: int | None = None, most: int | None = None) -> list[Row]:
        """List the tournaments, the newest first."""
        return self.rows("GET", "/tournaments", params={"before": before, "most": most})

    def show_tournament(self, tournament_id: int) -> Row:
        """Show a tournament."""
        return self.row("GET", f"/tournaments/{tournament_id}")

    def list_matches(self, tournament_id: int, *, first_set: int = 0, sets: int = 50) -> list[Row]:
        """List a tournament's matches."""
        return self.rows(
            "GET", f"/tournaments/{tournament_id}/matches", params={"first_set": first_set, "sets": sets}
        )

    def export_tournament(self, tournament_id: int, *, format: str = "json") -> bytes:  # noqa: A002 - as the API has it
        """Export a tournament, as `json`, `csv` or `zip`."""
        return self.content("GET", f"/tournaments/{tournament_id}/export", params={"format": format})

    def download_tournament_records(
        self, tournament_id: int, *, limit: int = 1000, cursor: str | None = None
    ) -> bytes:
        """Download the records of a tournament, as lines of JSON packed by zstd."""
        params = {"limit": limit, "cursor": cursor}
        return self.content("GET", f"/tournaments/{tournament_id}/records", params=params)

    def download_game_records(self, game_id: str, *, limit: int = 1000, cursor: str | None = None) -> bytes:
        """Download the records of a game, as lines of JSON packed by zstd."""
        return self.content("GET", f"/games/{q(game_id)}/records", params={"limit": limit, "cursor": cursor})

    def list_decisions(self, tournament_id: int, *, first: int = 0, most: int = 200) -> list[Row]:
        """List what was decided about a tournament."""
        return self.rows(
            "GET", f"/tournaments/{tournament_id}/decisions", params={"first": first, "most": most}
        )

    def list_ladders(self) -> list[Row]:
        """List the ladders."""
        return self.rows("GET", "/ladders")

    def list_recent(self, *, limit: int = 20) -> list[Row]:
        """List the newest matches."""
        return self.rows("GET", "/matches/recent", params={"limit": limit})

    def show_match(self, tournament_id: int, set_number: int, match_number: int) -> Row:
        """Show a match."""
        return self.row("GET", f"/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}")

    def show_record(self, tournament_id: int, set_number: int, match_number: int) -> Row:
        """Show the record of a match, as dictionaries and lists."""
        return self.row("GET", _record(tournament_id, set_number, match_number))

    def download_record(self, tournament_id: int, set_number: int, match_number: int) -> bytes:
        """Download the record of a match byte for byte, as `arena verify` reads it from a file."""
        return self.content("GET", _record(tournament_id, set_number, match_number))

    def follow_tournament(self, tournament_id: int) -> Iterator[Event]:
        """Follow a tournament."""
        return self.stream(f"/tournaments/{tournament_id}/events")

    def follow_all(self) -> Iterator[Event]:
        """Follow all running tournaments."""
        return self.stream("/events")

    def show_status(self) -> Row:
        """Show which parts run, what waits, and how fast it goes."""
        return self.row("GET", "/status")

    def list_live(self) -> list[Row]:
        """List the tables now playing."""
        return self.rows("GET", "/live")

    def follow_match(
        self, tournament_id: int, set_number: int, match_number: int, *, after: str = ""
    ) -> Iterator[Event]:
        """Follow a match."""
        return self.stream(
            f"/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}/events",
            headers={"Last-Event-ID": after} if after else {},
        )

    def list_bots(self, *, game: str | None = None) -> list[Row]:
        """List all bots."""
        return self.rows("GET", "/bots", params={"game": game})

    def show_bot(self, game_id: str, name: str) -> Row:
        """Show a bot."""
        return self.row("GET", f"/bots/{q(game_id)}/{q(name)}")

    def show_times(self, game_id: str, name: str) -> Row:
        """Show how long a bot thinks."""
        return self.row("GET", f"/bots/{q(game_id)}/{q(name)}/times")

    def list_bot_matches(self, game_id: str, name: str, *, limit: int = 50, cursor: str | None = None) -> Row:
        """List a bot's matches: a page of them, and the `cursor` of the next."""
        return self.row(
            "GET", f"/bots/{q(game_id)}/{q(name)}/matches", params={"limit": limit, "cursor": cursor}
        )

    def show_style(self, game_id: str, name: str, *, variant: str | None = None) -> Row:
        """Show how a bot plays."""
        return self.row("GET", f"/bots/{q(game_id)}/{q(name)}/style", params={"variant": variant})

    def show_sdk(self) -> Row:
        """Show what authors can download."""
        return self.row("GET", "/sdk")


def _record(tournament_id: int, set_number: int, match_number: int) -> str:
    return f"/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}/record"

"""What organisers do, and authors with what they have entered: tournaments and ladders."""

from __future__ import annotations

from arena.client.http_connection import Connection, Row, q


class Organising(Connection):
    """What organisers do, and authors with what they have entered: tournaments and ladders."""

    def create_tournament(self, game: str, **more: object) -> Row:
        """Create a tournament; `more` is what TournamentCreate may have besides."""
        return self.row("POST", "/tournaments", {"game": game, **more})

    def list_own_tournaments(self) -> list[Row]:
        """List the tournaments that one has created."""
        return self.rows("GET", "/me/tournaments")

    def estimate_tournament(self, game: str, **more: object) -> Row:
        """Return what a tournament would come to; `more` is what TournamentCreate may have besides."""
        return self.row("POST", "/tournaments/estimate", {"game": game, **more})

    def open_entries(self, tournament_id: int) -> Row:
        """Open a tournament for entries."""
        return self.row("POST", f"/tournaments/{tournament_id}/open")

    def start_tournament(self, tournament_id: int) -> Row:
        """Start a tournament."""
        return self.row("POST", f"/tournaments/{tournament_id}/start")

    def pause_tournament(self, tournament_id: int) -> Row:
        """Pause a tournament."""
        return self.row("POST", f"/tournaments/{tournament_id}/pause")

    def resume_tournament(self, tournament_id: int) -> Row:
        """Go on after a pause."""
        return self.row("POST", f"/tournaments/{tournament_id}/resume")

    def cancel_tournament(self, tournament_id: int, *, why: str = "") -> Row:
        """Cancel a tournament."""
        return self.row("POST", f"/tournaments/{tournament_id}/cancel", {"why": why})

    def extend_tournament(self, tournament_id: int, more: int) -> Row:
        """Extend a tournament."""
        return self.row("POST", f"/tournaments/{tournament_id}/extend", {"more": more})

    def prioritise_tournament(self, tournament_id: int, priority: int) -> Row:
        """Return a tournament another priority."""
        return self.row("POST", f"/tournaments/{tournament_id}/priority", {"priority": priority})

    def enter_bot(self, tournament_id: int, bot: str) -> Row:
        """Enter a bot."""
        return self.row("POST", f"/tournaments/{tournament_id}/entries", {"bot": bot})

    def withdraw_bot(self, tournament_id: int, name: str, *, annul: bool = False) -> Row:
        """Withdraw a bot from a tournament."""
        return self.row("DELETE", f"/tournaments/{tournament_id}/entries/{q(name)}", params={"annul": annul})

    def start_ladder(self, game: str, **more: object) -> Row:
        """Start a ladder; `more` is what LadderRequest may have besides."""
        return self.row("POST", "/ladders", {"game": game, **more})

    def stop_ladder(self, ladder_id: int) -> Row:
        """Stop a ladder."""
        return self.row("POST", f"/ladders/{ladder_id}/stop")

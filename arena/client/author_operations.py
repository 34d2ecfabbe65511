"""What authors do: their account, tokens and bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena.client.http_connection import Connection, Row, q


class Authoring(Connection):
    """What authors do: their account, tokens and bots."""

    def submit_bot(
        self, data: bytes, *, filename: str, game: str | None = None, name: str | None = None
    ) -> list[Row]:
        """Submit a bot."""
        return self.rows(
            "POST", "/bots/uploads", content=data, params={"filename": filename, "game": game, "name": name}
        )

    def show_weights(self, sha256: str) -> Row:
        """Show weights of one's own."""
        return self.row("GET", f"/weights/{q(sha256)}")

    def begin_weights(self, sha256: str, size: int) -> Row:
        """Begin to upload weights, or continue."""
        return self.row("POST", f"/weights/{q(sha256)}/upload", {"size": size})

    def upload_weights_part(self, sha256: str, data: bytes, *, offset: int) -> Row:
        """Upload a part of weights."""
        return self.row("PUT", f"/weights/{q(sha256)}/upload", content=data, params={"offset": offset})

    def finish_weights(self, sha256: str) -> Row:
        """Finish the upload of weights."""
        return self.row("POST", f"/weights/{q(sha256)}/upload/finish")

    def add_bot(
        self, game_id: str, name: str, source: str, *, address: str | None = None, secret: str | None = None
    ) -> Row:
        """Add a bot that runs elsewhere."""
        return self.row(
            "POST",
            f"/bots/{q(game_id)}",
            {"name": name, "source": source, "address": address, "secret": secret},
        )

    def renew_bot_token(self, game_id: str, name: str) -> Row:
        """Make a new token for a dial-in bot."""
        return self.row("POST", f"/bots/{q(game_id)}/{q(name)}/token")

    def revoke_bot_token(self, game_id: str, name: str) -> None:
        """Revoke a dial-in bot's token."""
        self.send("DELETE", f"/bots/{q(game_id)}/{q(name)}/token")

    def list_versions(self, game_id: str, name: str) -> list[Row]:
        """List the versions of one's own bot."""
        return self.rows("GET", f"/bots/{q(game_id)}/{q(name)}/versions")

    def show_connection(self, game_id: str, name: str) -> Row:
        """Show how one's own bot is connected."""
        return self.row("GET", f"/bots/{q(game_id)}/{q(name)}/connection")

    def list_entries(self, game_id: str, name: str) -> list[Row]:
        """List what one's own bot is entered in."""
        return self.rows("GET", f"/bots/{q(game_id)}/{q(name)}/entries")

    def download_upload(self, game_id: str, name: str) -> bytes:
        """Download what one has uploaded."""
        return self.content("GET", f"/bots/{q(game_id)}/{q(name)}/upload")

    def withdraw_version(self, game_id: str, name: str) -> Row:
        """Withdraw a version."""
        return self.row("POST", f"/bots/{q(game_id)}/{q(name)}/withdraw")

    def restore_version(self, game_id: str, name: str) -> Row:
        """Restore a version."""
        return self.row("POST", f"/bots/{q(game_id)}/{q(name)}/restore")

    def challenge(self, game_id: str, name: str, others: Sequence[str]) -> Row:
        """Challenge other bots."""
        return self.row("POST", f"/bots/{q(game_id)}/{q(name)}/challenges", {"others": list(others)})

    def compare_versions(
        self,
        game_id: str,
        name: str,
        first: str,
        second: str,
        *,
        elo0: float = 0.0,
        elo1: float = 50.0,
        sets: int = 500,
    ) -> Row:
        """Compare two versions of one's own bot."""
        sent = {"first": first, "second": second, "elo0": elo0, "elo1": elo1, "sets": sets}
        return self.row("POST", f"/bots/{q(game_id)}/{q(name)}/comparisons", sent)

    def list_logs(self, game_id: str, name: str, *, limit: int = 20) -> list[Row]:
        """List the last matches of one's own bot."""
        return self.rows("GET", f"/bots/{q(game_id)}/{q(name)}/logs", params={"limit": limit})

    def show_log(self, game_id: str, name: str, match_id: str) -> list[Row]:
        """Show what one's own bot printed in a match."""
        return self.rows("GET", f"/bots/{q(game_id)}/{q(name)}/logs/{q(match_id)}")

    def show_note_visibility(self, game_id: str, name: str) -> Row:
        """Show who may read one's own bot's notes."""
        return self.row("GET", f"/bots/{q(game_id)}/{q(name)}/notes")

    def set_note_visibility(self, game_id: str, name: str, *, public: bool) -> Row:
        """Set who may read one's own bot's notes."""
        return self.row("PUT", f"/bots/{q(game_id)}/{q(name)}/notes", {"public": public})

    def register(self, name: str, password: str, *, invitation: str | None = None) -> Row:
        """Make an account."""
        return self.row("POST", "/register", {"name": name, "password": password, "invitation": invitation})

    def me(self) -> Row:
        """Show who one is."""
        return self.row("GET", "/me")

    def change_password(self, old: str, new: str, *, revoke_tokens: bool = False) -> None:
        """Change one's password."""
        self.send("PUT", "/me/password", {"old": old, "new": new, "revoke_tokens": revoke_tokens})

    def list_own_bots(self) -> list[Row]:
        """List one's own bots."""
        return self.rows("GET", "/me/bots")

    def show_quotas(self) -> Row:
        """Show what one may still ask for today."""
        return self.row("GET", "/me/quotas")

    def list_sessions(self) -> list[Row]:
        """List the browsers that are signed in."""
        return self.rows("GET", "/sessions")

    def end_session(self, session_id: str) -> None:
        """Sign a browser of one's own out."""
        self.send("DELETE", f"/sessions/{q(session_id)}")

    def list_tokens(self) -> list[Row]:
        """List one's tokens."""
        return self.rows("GET", "/tokens")

    def create_token(self, label: str, *, scopes: Sequence[str] = (), expires: str = "365d") -> Row:
        """Make a token."""
        return self.row("POST", "/tokens", {"label": label, "scopes": list(scopes), "expires": expires})

    def revoke_token(self, token_id: str) -> None:
        """Revoke a token."""
        self.send("DELETE", f"/tokens/{q(token_id)}")

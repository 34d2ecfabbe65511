"""What admins do: users, invitations, queues, faults, the audit log."""

from __future__ import annotations

from arena.client.http_connection import Connection, Row, q


class Administering(Connection):
    """What admins do: users, invitations, queues, faults, the audit log."""

    def list_users(self) -> list[Row]:
        """List the users."""
        return self.rows("GET", "/users")

    def create_user(self, name: str, *, role: str = "author", password: str | None = None) -> Row:
        """Make a user."""
        return self.row("POST", "/users", {"name": name, "role": role, "password": password})

    def change_role(self, name: str, role: str) -> Row:
        """Change a user's role."""
        return self.row("PATCH", f"/users/{q(name)}", {"role": role})

    def reset_user(self, name: str, *, password: str | None = None) -> Row:
        """Reset a user."""
        return self.row("POST", f"/users/{q(name)}/reset", {"password": password})

    def list_invitations(self) -> list[Row]:
        """List the invitations."""
        return self.rows("GET", "/invitations")

    def invite(self, *, role: str = "author", days: int = 7) -> Row:
        """Create an invitation."""
        return self.row("POST", "/invitations", {"role": role, "days": days})

    def sign_out_user(self, name: str) -> Row:
        """Sign a user out everywhere."""
        return self.row("POST", f"/users/{q(name)}/sign-out")

    def revoke_invitation(self, invitation_id: str) -> None:
        """Take an invitation back."""
        self.send("DELETE", f"/invitations/{q(invitation_id)}")

    def read_audit(
        self, *, before: int | None = None, most: int = 50, who: str = "", action: str = "", subject: str = ""
    ) -> list[Row]:
        """Read the audit log."""
        return self.rows(
            "GET",
            "/audit",
            params={"before": before, "most": most, "who": who, "action": action, "subject": subject},
        )

    def show_queues(self) -> Row:
        """Show the queues."""
        return self.row("GET", "/admin/queues")

    def retry_job(self, job_id: str) -> None:
        """Try a job again."""
        self.send("POST", f"/admin/jobs/{q(job_id)}/retry")

    def forget_job(self, job_id: str) -> None:
        """Forget a job."""
        self.send("DELETE", f"/admin/jobs/{q(job_id)}")

    def show_workers(self) -> Row:
        """Show the workers."""
        return self.row("GET", "/admin/workers")

    def show_referees(self) -> list[Row]:
        """Show the referees."""
        return self.rows("GET", "/admin/referees")

    def show_warnings(self) -> list[Row]:
        """Show what is wrong with the set-up."""
        return self.rows("GET", "/admin/warnings")

    def show_throughput(self) -> list[Row]:
        """Show what was played in the last hour."""
        return self.rows("GET", "/admin/throughput")

    def show_faults(self, *, kind: str = "", bot: str = "", before: int | None = None, most: int = 25) -> Row:
        """Show the newest faults."""
        return self.row(
            "GET", "/admin/faults", params={"kind": kind, "bot": bot, "before": before, "most": most}
        )

    def list_suspensions(self) -> list[Row]:
        """List the suspended bots."""
        return self.rows("GET", "/admin/suspensions")

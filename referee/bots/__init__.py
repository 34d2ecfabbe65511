"""The bots of a referee: hosted, remote, and seats held for people."""

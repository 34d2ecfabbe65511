"""Matches that are being played: hubs that fan out events, boards, the API."""

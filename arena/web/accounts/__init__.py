"""Accounts: registering, signing in, one's own account, the API."""

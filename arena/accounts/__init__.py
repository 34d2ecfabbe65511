"""Accounts: users, what they sign in with, what they may do, and the audit log of what they did."""

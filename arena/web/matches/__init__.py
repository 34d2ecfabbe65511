"""Matches that are over: their page, the stepper, the API."""

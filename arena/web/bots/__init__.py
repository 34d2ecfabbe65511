"""Bots: public pages, their owners' pages, submitting, the API."""

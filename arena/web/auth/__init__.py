"""Authentication of requests by tokens and cookies, for the API and for pages."""

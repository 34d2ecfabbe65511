"""Who makes a request: tokens and cookies, for the API and for pages."""

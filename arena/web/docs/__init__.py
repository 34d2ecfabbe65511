"""The docs as pages, the rules of the games, the reference of the API."""

"""Lists of matches as pages and the API show them."""

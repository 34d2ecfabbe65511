"""`arena up` and `arena serve`: running the platform."""

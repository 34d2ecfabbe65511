"""How Land Unter is drawn, and put into words."""

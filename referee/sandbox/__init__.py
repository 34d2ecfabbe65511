"""The sandbox of hosted bots: what it is made of, what it lets through, and how well it was measured to hold."""

"""The write side of tournaments and ladders: what is planned, what is played, and what follows from a result."""

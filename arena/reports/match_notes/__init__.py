"""What bots noted in a match, for who may read it."""

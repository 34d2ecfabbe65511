"""Commands for those who write games."""

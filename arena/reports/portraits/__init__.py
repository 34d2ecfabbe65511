"""Portraits: how a bot's version plays, drawn from its newest open matches."""

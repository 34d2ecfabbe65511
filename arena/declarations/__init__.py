"""Declarations of bots: the tables that they play.  Pure."""

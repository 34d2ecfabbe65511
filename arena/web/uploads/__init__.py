"""Uploads on their way: their places, and how their bodies are read."""

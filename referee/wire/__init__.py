"""A bot's stream: handshake, frames, tokens."""

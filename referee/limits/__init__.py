"""Limits of a referee: messages, connections, CPU, memory, time."""

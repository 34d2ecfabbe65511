"""What a referee bounds: messages, connections, CPU, memory, time."""

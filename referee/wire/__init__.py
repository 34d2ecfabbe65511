"""What a referee says over gRPC: its two services, handshakes, frames, tokens."""

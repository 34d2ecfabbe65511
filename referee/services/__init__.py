"""The gRPC services of a referee: the bots' port, the control port, and the seats of people who play."""

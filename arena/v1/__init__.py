"""Generated from protos/arena/v1 by `make protos`: the messages and services of the wire."""

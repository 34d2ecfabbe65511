from tests.cli.one_referee import one_referee, own_referee

__all__ = ["one_referee", "own_referee"]

from tests.cli.match.one_referee import kept_referee, one_referee, own_referee

__all__ = ["kept_referee", "one_referee", "own_referee"]

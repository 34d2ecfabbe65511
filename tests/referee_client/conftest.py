from tests.forked_parts import forked

__all__ = ["forked"]

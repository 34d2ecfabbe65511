from tests.parts.forked_parts import forked

__all__ = ["forked"]

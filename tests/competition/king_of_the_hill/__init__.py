"""A format that the tests add to a copy of the arena: its class, its part of a page, its row of the docs."""

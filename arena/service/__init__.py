"""The operations of an arena, a class per noun: what routes, pages and commands call, and nothing below them."""

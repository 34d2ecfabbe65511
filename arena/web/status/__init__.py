"""The public status of the arena: a page, and its JSON twin."""

"""`arena match` and `arena verify`: matches without a store, and the check of their records."""

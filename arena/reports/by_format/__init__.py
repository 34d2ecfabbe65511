"""Reports that depend on a tournament's format: winners, tests."""

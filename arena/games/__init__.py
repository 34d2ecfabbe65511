"""The games: pure rules, one folder each."""
